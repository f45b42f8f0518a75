"""The pages of `storymill review`: every queue is emptied by keyboard alone."""

import json
import re
import shutil
from pathlib import Path

from app import App, built
from scenario import Scenario

# A rule of two people and one who settles what they differ on.
RULE = '[review]\nrule = "adjudicator"\nvoters = 2\nadjudicators = ["eve"]\n\n'


def workflow(bench, folder, name, rule="", change=lambda text: text):
    """A shipped workflow with a file of decisions, built; the arguments that review it."""
    file = bench.top / f"workflows/{name}.toml" if name != "names" else bench.top / "tests/browser/names.toml"
    text = change(file.read_text())
    text = re.sub(r'"(\.\./)+data', f'"{bench.top}/data', text)
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
    # A set, or the workflow of a build.
    place = Path(app.process.args[2 if app.process.args[1] == "review" else 3])
    with open((place if place.is_dir() else place.parent) / "decisions.jsonl") as file:
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


def labels(bench, folder):
    """Forty retellings to be labelled, sentence by sentence."""
    stage = '[stage.labelled.label]\nof = "pairs"\n\n[stage.judged.faithful]\nof = "labelled"'
    change = lambda text: re.sub(r'\[stage\.judged\.faithful\]\nof *= "pairs"', stage, text)
    return workflow(bench, folder, "storysumm", change=change)


def evidence(bench, folder):
    """Questions about whole books, whose evidence is to be marked."""
    return workflow(bench, folder, "literaryqa")


def casts(bench, folder):
    return workflow(bench, folder, "names")


def item_of(app, page, queue, code):
    """Opens the first item of a code."""
    app.open(page, f"q/{queue}")
    for path in links(page, app, "th.id a"):
        app.open(page, path)
        if page.locator(f".of:has-text('{code} ·')").count():
            return path
    raise AssertionError(f"no {code} in {queue}")


def saved(bench, app, page):
    """Enter saves; the line that was written."""
    here = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != here)
    page.wait_for_selector(".told-now:has-text('Saved')")
    return lines(bench, app)[-1]


def chosen(page):
    return page.locator("input[name=choice]:checked").evaluate_all("all => all.map((one) => one.value)")


def sentences_are_labelled(bench, app, page):
    """A digit for each sentence; the choice that takes labels comes by itself."""
    named(page, app, "ann")
    item_of(app, page, "faithfulness", "sentence-labels")
    count = page.locator("fieldset.sentence").count()
    assert chosen(page) == []
    page.keyboard.press("2")
    for _ in range(count - 1):
        page.keyboard.press("1")
    assert chosen(page) == ["labelled"], chosen(page)
    line = saved(bench, app, page)
    found = [one["label"] for one in line["said"]["labels"]]
    assert found == ["unfaithful"] + ["faithful"] * (count - 1), found


def evidence_is_marked(bench, app, page):
    """By words and by sentences; what was marked is there when the item is opened again, and in more of the book."""
    named(page, app, "ann")
    path = item_of(app, page, "evidence", "evidence")
    sentence = page.locator(".pick").first
    # The box of the sentence is not the way to mark it, and is disabled.
    sentence.click(position={"x": 6, "y": 8}, force=True)
    assert page.locator(".w.marked").count() == 1 and "1 place is marked; by word" in page.locator("#marks").text_content()
    page.locator(".w.marked").click(force=True)
    assert page.locator(".w.marked").count() == 0 and "0 places are marked" in page.locator("#marks").text_content()
    page.keyboard.press("Escape")
    for key in ["e", "ArrowRight", "Shift+ArrowRight", " ", "s", "ArrowRight", "ArrowRight", " ", "Escape", "2"]:
        page.keyboard.press(key)
    assert "2 places are marked" in page.locator("#marks").text_content()
    line = saved(bench, app, page)
    assert line["choice"] == "marked" and len(line["said"]["spans"]) == 2, line
    app.open(page, path)
    assert "2 places are marked" in page.locator("#marks").text_content()
    # The words and the sentence that were marked, as the server and the page count their symbols.
    spans = [tuple(one["span"][end]["symbol"] for end in ("start", "end")) for one in line["said"]["spans"]]
    sentences = [tuple(map(int, one.get_attribute("value").split(":")[1:])) for one in page.locator(".pick > [type=checkbox]").all()]
    assert spans[1] in sentences, (spans, sentences)
    marked = page.locator(".w.marked").all_text_contents()
    assert len(marked) > 3, marked
    shown = page.locator(".pick").count()
    page.keyboard.press("m")
    page.wait_for_url("**around=1")
    assert page.locator(".pick").count() > shown
    assert page.locator(".w.marked").all_text_contents() == marked
    assert "2 places are marked" in page.locator("#marks").text_content()


def a_cast_is_changed(bench, app, page):
    """The gender that somebody has is no change; another one is, and putting it back takes the change away."""
    named(page, app, "ann")
    item_of(app, page, "casts", "cast")
    first = page.locator("fieldset.sentence").first
    now = first.locator("input[type=radio]:checked").get_attribute("data-digit")
    other = "2" if now == "1" else "1"
    # Everybody has a gender, so the choices are in the frame at first.
    for _ in range(page.locator("[data-group]").count()):
        page.keyboard.press("ArrowUp")
    page.keyboard.press(now)
    page.keyboard.press("ArrowUp")
    assert chosen(page) == [], chosen(page)
    page.keyboard.press(other)
    page.keyboard.press("ArrowUp")
    assert chosen(page) == ["changed"], chosen(page)
    page.keyboard.press(now)
    page.keyboard.press("ArrowUp")
    assert chosen(page) == [], chosen(page)
    page.keyboard.press(other)
    line = saved(bench, app, page)
    assert [*line["said"]["names"][0]] == ["gender"], line


def claims(bench, folder):
    """A set in a folder: two proposed pairs and what a second reader disputes, on a novel of the quickstart."""
    (folder / "set/votes").mkdir(parents=True, exist_ok=True)
    (folder / "set/books").mkdir(exist_ok=True)
    shutil.copy(bench.top / "data/books/alice.html", folder / "set/books/alice.html")
    pairs = [
        ("The Hatter asks Alice why a raven is like a writing-desk.", "The Hatter asks Alice why a raven is like a tea-tray."),
        ("Alice finds a little golden key on a table of glass.", "Alice finds a little golden key under a table of glass."),
    ]
    head = "book,true_claim,false_claim,true_scope,false_scope\n"
    rows = "".join(f'alice,"{true}","{false}",sentence,sentence\n' for true, false in pairs)
    (folder / "claims.csv").write_text(head + rows)
    built(bench.program, ["claims", "import", "claims.csv", "--into", "set"], folder)
    (folder / "set/votes/bob.csv").write_text(
        "pair,claim,reader,verdict,scope\nalice/0001,false,bob,true,\nalice/0002,true,bob,true,passage\n"
    )
    lines = []
    for at, (true, false) in enumerate([
        ("The Queen of Hearts orders the knave to be beheaded.", "The Queen of Hearts orders the gryphon to be beheaded."),
        ("The Caterpillar sits on a mushroom and smokes a hookah.", "The Caterpillar sits on a mushroom and smokes a cigar."),
    ]):
        review = {
            "item": f"alice/{at:04}/d0/e0", "code": "claim-pair-proposed",
            "question": "take these claims as a pair? Is the one true of the book, and the other false? (the lint finds nothing)",
            "excerpt": f"true: {true}\nfalse: {false}", "choices": ["drop", "take", "change"], "default": "drop",
        }
        pair = {"book": "alice", "true_claim": true, "false_claim": false, "model_written": True}
        lines.append(json.dumps({"review": review, "pair": pair}))
    (folder / "set/drafts.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "set/decisions.jsonl").write_text("")
    return ["claims", "reviews", str(folder / "set")]


def pairs_are_written(bench, app, page):
    """A claim is written anew, evidence is marked, a scope is chosen, all by keyboard; undo; the queue is emptied."""
    named(page, app, "ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/q/claims/*")
    assert chosen(page) == []
    page.keyboard.press("t")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("The Queen of Hearts orders the dormouse to be beheaded.")
    assert chosen(page) == ["change"], chosen(page)
    page.keyboard.press("Tab")
    page.keyboard.type("It is the knave; the dormouse sleeps.")
    page.keyboard.press("Tab")
    page.keyboard.type("global")
    page.keyboard.press("Escape")
    for key in ["e", "s", "ArrowRight", " ", "Escape"]:
        page.keyboard.press(key)
    assert "1 place is marked" in page.locator("#marks").text_content()
    line = saved(bench, app, page)
    values = line["said"]["fields"]["values"]
    assert values["false_claim"].endswith("the dormouse to be beheaded.") and values["true_scope"] == "global", line
    assert values["explanation"] == "It is the knave; the dormouse sleeps.", line
    assert len(line["said"]["fields"]["spans"]) == 1, line
    page.keyboard.press("u")
    page.wait_for_selector(".told-now:has-text('Undone')")
    page.keyboard.press("2")
    assert saved(bench, app, page)["choice"] == "take"
    while "/done" not in page.url:
        page.keyboard.press("1")
        saved(bench, app, page)
    assert "--apply" in page.content()


def claim_pages(bench, app, page):
    named(page, app, "ann")
    found = [("first", ""), ("queue", "q/claims"), ("done", "q/claims/done")]
    for code in ["claim-pair-proposed", "claim-disputed", "scope-disputed"]:
        found.append((code, item_of(app, page, "claims", code)))
    return found


def beyond(code, queue):
    """Pictures of the items that take more than a choice."""
    def pages(bench, app, page):
        named(page, app, "ann")
        return [(code, item_of(app, page, queue, code))]
    return pages


def none(bench, app, page):
    """No pictures: the server of this scenario is killed."""
    return []


SCENARIOS = [
    Scenario("review", lveval, pages, smoke=True),
    Scenario("review-emptied", lveval, none, (emptied, undone_with_a_note, killed)),
    Scenario("review-two", by_two, none, (two_people_and_an_adjudicator,)),
    Scenario("review-labels", labels, beyond("sentence-labels", "faithfulness"), (sentences_are_labelled,)),
    Scenario("review-evidence", evidence, beyond("evidence", "evidence"), (evidence_is_marked,)),
    Scenario("review-claims", claims, claim_pages, (pairs_are_written,)),
    Scenario("review-casts", casts, beyond("cast", "casts"), (a_cast_is_changed,)),
]
