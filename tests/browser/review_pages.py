"""The pages of `storymill review`: every queue is emptied by keyboard alone."""

import json
import re

from app import App, built
from scenario import Scenario

# A rule of two people and one who settles what they differ on.
RULE = '[review]\nrule = "adjudicator"\nvoters = 2\nadjudicators = ["eve"]\n\n'


def workflow(bench, folder, name, rule=""):
    """A shipped workflow with a file of decisions, built; the arguments that review it."""
    text = (bench.top / f"workflows/{name}.toml").read_text()
    text = text.replace('"../data', f'"{bench.top}/data')
    text = re.sub(r"(?m)^seed ", 'decisions = ["decisions.jsonl"]\nseed ', text, count=1)
    text = text.replace("[publish]", rule + "[publish]", 1)
    path = folder / "my.toml"
    path.write_text(text)
    (folder / "decisions.jsonl").write_text("")
    out, store = str(folder / "out"), str(folder / "store")
    built(bench.program, ["build", str(path), "--out", out, "--store", store], folder)
    return ["review", str(path), "--store", store]


def lveval(bench, folder):
    return workflow(bench, folder, "lveval")


def named(page, app, name):
    """Says who decides, if that is asked."""
    app.open(page, "")
    if page.locator("h1:has-text('Who decides?')").count():
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.wait_for_selector("text=You decide as")


def links(page, app, selector):
    base = app.base[len(app.origin):]
    return [one.get_attribute("href")[len(base):] for one in page.locator(selector).all()]


def pages(bench, app, page):
    """The first page before somebody has a name, then every queue and one item of each kind in it."""
    named(page, app, "ann")
    found = [("first", ""), ("keys", "keys"), ("disputes", "disputes")]
    for queue in links(page, app, "th[scope=row] a"):
        name = queue.rsplit("/", 1)[1]
        found += [(f"queue-{name}", queue), (f"done-{name}", f"{queue}/done")]
        app.open(page, queue)
        items = links(page, app, "th.id a")
        found.append((f"item-{name}", items[0]))
    return found


def lines(bench, app):
    folder = app.process.args[2].rsplit("/", 1)[0]
    with open(f"{folder}/decisions.jsonl") as file:
        return [json.loads(line) for line in file]


def emptied(bench, app, page):
    """Each queue: Enter begins, a digit chooses, Enter saves and goes on."""
    named(page, app, "ann")
    before = len(lines(bench, app))
    app.open(page, "")
    waits = page.locator("h1").text_content()
    while page.locator("a.main[data-key=Enter]").count():
        page.keyboard.press("Enter")
        page.wait_for_url("**/q/**")
        while "/done" not in page.url:
            here = page.url
            for group in range(page.locator("[data-group]").count()):
                page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: url != here)
            page.wait_for_selector(".told-now:has-text('Saved')")
        page.keyboard.press("h")
        page.wait_for_selector("text=You decide as")
    assert page.locator("h1").text_content() == "You have decided everything", waits
    count = len(lines(bench, app)) - before
    assert str(count) in waits, (count, waits)


def undone_with_a_note(bench, app, page):
    """`u` takes the last one back; a note is written and kept."""
    named(page, app, "ann")
    page.keyboard.press("u")
    page.wait_for_selector(".told-now:has-text('Undone')")
    assert page.locator("input[name=choice]:checked").count() == 0
    here = page.url
    page.keyboard.press("2")
    page.keyboard.press("n")
    page.keyboard.type("12 why")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != here)
    last = lines(bench, app)[-1]
    assert last["note"] == "12 why" and last["by"] == "ann", last


def killed(bench, app, page):
    """What was called saved is there after a kill, for a server that starts anew."""
    named(page, app, "ann")
    count = len(lines(bench, app))
    page.keyboard.press("u")
    page.wait_for_selector(".told-now:has-text('Undone')")
    app.kill()
    assert len(lines(bench, app)) == count + 1
    with App(bench.program, app.process.args[1:], str(bench.work)) as again:
        again.enter(page)
        named(page, again, "ann")
        assert "1 item waits" in page.locator("h1").text_content()


def by_two(bench, folder):
    return workflow(bench, folder, "lveval", RULE)


def two_people_and_an_adjudicator(bench, app, page):
    """Ann and Bob differ; Bob sees nothing of Ann's before he has voted; Eve settles it."""
    args = app.process.args[1:]
    named(page, app, "ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/q/**")
    item = page.url[len(app.base):]

    def vote(page, digit):
        here = page.url
        page.keyboard.press(digit)
        page.keyboard.press("n")
        page.keyboard.type("a note of somebody")
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: url != here)
        page.wait_for_selector(".told-now:has-text('Saved')")

    vote(page, "1")
    browser = page.context.browser
    for name, digit in [("bob", "2"), ("eve", "1")]:
        with App(bench.program, args, str(bench.work)) as other:
            own = browser.new_context().new_page()
            other.enter(own)
            named(own, other, name)
            if name == "bob":
                other.open(own, item)
                assert "a note of somebody" not in own.content()
                vote(own, digit)
                other.open(own, item)
                assert own.locator(".votes").count() == 1
            else:
                own.keyboard.press("d")
                own.wait_for_url("**/disputes")
                own.keyboard.press("Enter")
                own.wait_for_url("**/disputes/*")
                assert own.locator(".votes tbody tr").count() == 2
                vote(own, digit)
                assert "Nothing to settle" in own.content()
            own.context.close()
    app.open(page, item)
    assert "Decided" in page.content()


def none(bench, app, page):
    """No pictures: the server of this scenario is killed."""
    return []


SCENARIOS = [
    Scenario("review", lveval, pages, smoke=True),
    Scenario("review-emptied", lveval, none, (emptied, undone_with_a_note, killed)),
    Scenario("review-two", by_two, none, (two_people_and_an_adjudicator,)),
]
