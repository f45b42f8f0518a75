"""The pages of `storymill view`."""

import re

from app import built
from scenario import Scenario


def quickstart(bench, folder):
    """The quickstart as its workflow shows it, with what guessing and copying get."""
    workflow = str(bench.top / "workflows/stories.toml")
    out, store = str(folder / "out"), str(folder / "store")
    built(bench.program, ["build", workflow, "--out", out, "--store", store], folder)
    args = ["evaluate", out, "--baselines", "--out", str(folder / "baselines"), "--store", store]
    built(bench.program, args, folder)
    return ["view", workflow, "--out", out, "--store", store, "--results", str(folder / "baselines")]


def quickstart_pages(bench, app, page):
    return [
        ("first", ""),
        ("list", "c/read-along"),
        ("list-filtered", "c/read-along?type=lookahead&least=400&most=900"),
        ("list-none", "c/read-along?says=zeppelin"),
        ("question", "c/read-along/sm02/0006/scene-distortion"),
        ("question-answered", first_link(app, page, "c/eval") + "#answer"),
        ("reconstruction", first_link(app, page, "c/reconstruction")),
        ("false-retelling", "c/distortions/sm03/0000/d0"),
        ("row", "c/scenes/sm03/0002"),
        ("book", "book/sm03?in=read-along"),
        ("search", "search?says=bell"),
        ("search-none", "search?says=zeppelin"),
        ("left", "left"),
        ("left-item", "left/distortions/sm07/0000/d4"),
        ("answer", answer_path(app, page)),
        ("page", "page/sm03"),
        ("page-bytes", bytes_path(app, page)),
    ]



def first_link(app, page, path):
    """The path of the first row of a list."""
    app.open(page, path)
    href = page.locator("a[data-key=Enter]").get_attribute("href")
    return href[len(app.base) - len(app.origin):]


def first_id(app, page, path):
    return first_link(app, page, path)[len(path) + 1:]


def linked(app, page, path, begins):
    """The path of the first link on a page that leads to a kind of page."""
    app.open(page, path)
    base = app.base[len(app.origin):]
    href = page.locator(f"a[href^='{base}{begins}']").first.get_attribute("href")
    return href[len(base):]


def answer_path(app, page):
    return linked(app, page, "c/distortions/sm03/0000/d0", "answer/")


def bytes_path(app, page):
    return linked(app, page, "c/distortions/sm03/0000/d0", "page/")


def from_a_question_to_the_bytes_of_its_page(bench, app, page):
    """By keyboard alone: first page, list, question, evidence, answer, lineage, raw answer, bytes of the page."""
    app.open(page, "")
    # The first thing that Tab reaches leads past the keys, to the text.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    tab_to(page, "read-along")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/read-along")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/read-along/*/**")
    first = page.url
    page.keyboard.press("j")
    page.wait_for_url(lambda url: url != first)
    page.keyboard.press("k")
    page.wait_for_url(first)
    page.keyboard.press("e")
    in_sight = "e => { const box = e.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight }"
    assert page.locator("mark.evidence").first.evaluate(in_sight), "the evidence is in sight"
    right = page.locator(".option.is-right small.told")
    if right.count():
        assert not right.is_visible(), "the answer is closed"
    page.keyboard.press("a")
    if right.count():
        assert right.is_visible(), "and open"
    page.keyboard.press("a")
    page.keyboard.press("l")
    assert page.locator("#came").evaluate("e => e.open"), "where it comes from is open"
    tab_to(page, re.compile(r"^[0-9a-f]{64}$"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/answer/**")
    assert page.locator("pre").inner_text().strip(), "the raw answer"
    page.go_back()
    page.keyboard.press("p")
    page.wait_for_url("**/page/**from=*")
    shown = page.locator(".bytes pre").inner_text()
    assert "<p" in shown, f"the bytes of the page: {shown[:80]}"
    assert page.locator("#here").count() == 1


def the_keys_in_a_list(bench, app, page):
    """`?` lists the keys of the page; the next key closes the list. The header covers nothing that a jump leads to."""
    app.open(page, "c/read-along/sm02/0006/scene-distortion")
    page.keyboard.press("?")
    listed = page.locator("dialog.all-keys")
    assert listed.is_visible()
    for words in ("j next", "e evidence", "a answer", "/ search", "h the first page"):
        assert words in listed.inner_text(), words
    page.keyboard.press("j")
    assert not listed.is_visible(), "a key closes the list and does nothing else"
    stays = page.evaluate("getComputedStyle(document.querySelector('header')).position") == "sticky"
    height = page.locator("header").bounding_box()["height"] if stays else 0
    for scene in page.locator("section.scene[id]").all():
        top = scene.evaluate("e => { e.scrollIntoView(); return e.getBoundingClientRect().top }")
        assert top >= height - 1, f"the header covers a scene: {top}, {height}"


def what_was_left_out(bench, app, page):
    app.open(page, "")
    page.keyboard.press("x")
    page.wait_for_url("**/left")
    page.keyboard.press("Enter")
    page.wait_for_url("**/left/*/**")
    assert page.locator("pre").count() > 0, "the raw answers"
    assert page.locator(".why").count() > 0, "the reason"


def search_and_come_back(bench, app, page):
    app.open(page, "c/read-along")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "says"
    page.keyboard.type("bell")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?says=bell")
    assert page.locator(".hits li").count() > 0
    page.keyboard.press("h")
    page.wait_for_url(app.base)
    # An id that somebody sent leads to its row.
    page.keyboard.press("/")
    page.keyboard.type("sm02/0006/scene-distortion")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search**")
    assert page.locator(".hits a", has_text="sm02/0006/scene-distortion").count() > 0


def the_answer_stays_open(bench, app, page):
    app.open(page, "c/read-along/sm02/0006/scene-distortion")
    page.keyboard.press("a")
    page.keyboard.press("j")
    page.wait_for_url(lambda url: not url.endswith("sm02/0006/scene-distortion"))
    assert "answered" in page.evaluate("document.body.className")
    page.keyboard.press("a")


def tab_to(page, name):
    """Goes on with Tab until a link or button of this name has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        text = page.evaluate("document.activeElement.textContent.trim()")
        if (name.search(text) if isinstance(name, re.Pattern) else text == name):
            return
    raise AssertionError(f"Tab never reaches {name}")


def contexts(bench, folder):
    """Long contexts with confusing facts and replaced words."""
    workflow = str(bench.top / "workflows/lveval.toml")
    out, store = str(folder / "out"), str(folder / "store")
    built(bench.program, ["build", workflow, "--out", out, "--store", store], folder)
    return ["view", workflow, "--out", out, "--store", store]


def context_pages(bench, app, page):
    return [
        ("first", ""),
        ("list", "c/contexts"),
        ("context", first_link(app, page, "c/contexts")),
        ("context-answered", first_link(app, page, "c/contexts") + "#answer"),
    ]


def at_the_evidence(page, picture):
    """What `e` leads to."""
    if page.locator("mark.evidence").count():
        page.keyboard.press("e")
        page.wait_for_timeout(60)
        picture("evidence")


def names(bench, folder):
    """Books with other names."""
    workflow = folder / "names.toml"
    text = (bench.top / "tests/browser/names.toml").read_text()
    workflow.write_text(text.replace("../../data", str(bench.top / "data")))
    out, store = str(folder / "out"), str(folder / "store")
    built(bench.program, ["build", str(workflow), "--out", out, "--store", store], folder)
    return ["view", str(workflow), "--out", out, "--store", store]


def name_pages(bench, app, page):
    return [("first", ""), ("casts", "casts"), ("cast", "cast/sm03"), ("book", "book/sm03?in=renamed-books")]


def folder_alone(bench, folder):
    """The same folder without its workflow: names by the published table."""
    return ["view", str(bench.work / "names/out")]


def folder_pages(bench, app, page):
    return [("first", ""), ("cast", "cast/sm03"), ("lost", "left")]


def who_is_who(bench, app, page):
    app.open(page, "")
    page.keyboard.press("c")
    page.wait_for_url("**/casts")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cast/*")
    assert page.locator(".passage del").count() > 0 and page.locator(".passage ins").count() > 0
    page.keyboard.press("b")
    page.wait_for_url("**/book/*")


SCENARIOS = [
    Scenario(
        "quickstart",
        quickstart,
        quickstart_pages,
        (
            from_a_question_to_the_bytes_of_its_page,
            the_keys_in_a_list,
            what_was_left_out,
            search_and_come_back,
            the_answer_stays_open,
        ),
        smoke=True,
    ),
    Scenario("contexts", contexts, context_pages, also=at_the_evidence),
    Scenario("names", names, name_pages, (who_is_who,)),
    Scenario("names-folder", folder_alone, folder_pages),
]
