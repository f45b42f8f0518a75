"""The pages of `storymill review SET --queue`: which claim of a pair is true, and whether explanations are right."""

import json
import re

from app import App, built
from review_pages import claims, item_of, lines, named, saved
from scenario import Scenario

ANSWERS = [
    ("alice/0001", True, "The Hatter opens his eyes very wide, and then asks the riddle of the raven.", "TRUE"),
    ("alice/0001", False, "There is no tea-tray in the song of the bat.", "FALSE"),
    ("alice/0002", True, "She finds it in the pool of tears.", "TRUE"),
    ("alice/0002", False, "It lies on it.", "TRUE"),
]


def pairs(bench, folder):
    return claims(bench, folder) + ["--queue", "adequacy"]


def explanations(bench, folder):
    args = claims(bench, folder)
    row = lambda pair, claim, why, says: json.dumps({
        "system": "a-model", "pair": pair, "claim": claim,
        "answer": f"<explanation>{why}</explanation>\n<answer>{says}</answer>",
    })
    (folder / "answers.jsonl").write_text("\n".join(row(*one) for one in ANSWERS))
    built(bench.program, ["evaluate", "set", "--responses", "answers.jsonl"], folder)
    return args + ["--queue", "explanations", "--results", str(folder / "results/set-responses")]


def digit_of(page, words):
    """The digit of the claim with some words: the first is A, and has the first one."""
    assert page.locator("dt").all_text_contents() == ["A", "B"]
    return str("AB".index(page.locator(f"dt:has(+ dd:has-text('{words}'))").text_content()) + 1)


def readers_compare(bench, app, page):
    """A second reader chooses by keyboard, marks evidence and undoes; another sees nothing of it; the writer sees all."""
    named(page, app, "bob")
    page.keyboard.press("Enter")
    page.wait_for_url("**/q/adequacy/*")
    assert "scope" not in page.locator("main").text_content()
    page.keyboard.press(digit_of(page, "tea-tray"))
    for key in ["e", "s", "ArrowRight", " ", "Escape"]:
        page.keyboard.press(key)
    assert "1 place is marked" in page.locator("#marks").text_content()
    page.keyboard.press("n")
    page.keyboard.type("There was a tray.")
    page.keyboard.press("Escape")
    line = saved(bench, app, page)
    # What is kept is the claim, which another reader may see under the other letter.
    kept = line["choice"]
    assert kept in "AB" and line["by"] == "bob", line
    assert len(line["said"]["grounds"]["spans"]) == 1 and line["note"] == "There was a tray.", line
    page.keyboard.press("u")
    page.wait_for_selector(".told-now:has-text('Undone')")
    page.keyboard.press(digit_of(page, "tea-tray"))
    page.keyboard.press("n")
    page.keyboard.type("There was a tray.")
    page.keyboard.press("Escape")
    assert saved(bench, app, page)["choice"] == kept
    page.keyboard.press("5")
    assert saved(bench, app, page)["choice"] == "cannot tell"
    assert "claims lint" in page.content()
    context = page.context.browser.new_context(viewport={"width": 1280, "height": 900})
    other = context.new_page()
    with App(bench.program, app.process.args[1:], str(bench.work)) as again:
        again.enter(other)
        named(other, again, "cay")
        other.keyboard.press("Enter")
        other.wait_for_url("**/q/adequacy/*")
        assert "There was a tray" not in other.content() and "bob" not in other.content()
    with App(bench.program, app.process.args[1:-2], str(bench.work)) as writer:
        writer.enter(other)
        named(other, writer, "ann")
        assert writer.open(other, item_of(writer, other, "claims", "pair-disputed")) == 200
        assert "bob says: the false claim is true. There was a tray." in other.content()
        for width, height in [(1280, 900), (390, 844)]:
            other.set_viewport_size({"width": width, "height": height})
            other.screenshot(path=bench.work / f"shots/review-pairs-pair-disputed-{width}-light.png")
        other.keyboard.press("2")
        # Of two items of this name the first is the one of the page.
        count = len(lines(bench, app))
        other.keyboard.press("Enter")
        other.wait_for_url("**saved=**")
        new = lines(bench, app)
        assert len(new) == count + 1 and new[-1]["choice"] == "swap", new[-1]
    context.close()


def explanations_are_judged(bench, app, page):
    """A choice and a kind of error by keyboard, until the queue is empty."""
    named(page, app, "ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/q/explanations/*")
    assert "a-model says so too" in page.content()
    page.keyboard.press("3")
    while not re.fullmatch("invented", page.evaluate("document.activeElement.value") or ""):
        page.keyboard.press("Tab")
    page.keyboard.press(" ")
    line = saved(bench, app, page)
    assert line["choice"] == "wrong" and line["said"]["grounds"]["kinds"] == ["invented"], line
    while "/done" not in page.url:
        page.keyboard.press("1")
        assert saved(bench, app, page)["choice"] == "right"
    assert "--agreement" in page.content()


# A letter that turns the direction of reading around, one beyond 16 bits, a line break of two letters.
SIGNS = "One a\u202eb two \U0001d518nder it.\r\nMore of the bell here.\n\nAnna rang the bell at noon.\n"


def signs(bench, folder):
    """A proposed pair on a book with letters that pages show otherwise than they are."""
    (folder / "set/books").mkdir(parents=True, exist_ok=True)
    (folder / "set/books/signs.txt").write_bytes(SIGNS.encode())
    true, false = "Anna rang the bell at noon.", "Anna rang the bell at night."
    review = {
        "item": "signs/0001/d0/e0", "code": "claim-pair-proposed", "question": "take these claims as a pair?",
        "excerpt": f"true: {true}\nfalse: {false}", "choices": ["drop", "take", "change"], "default": "drop",
    }
    pair = {"book": "signs", "true_claim": true, "false_claim": false}
    (folder / "set/drafts.jsonl").write_text(json.dumps({"review": review, "pair": pair}) + "\n")
    (folder / "set/decisions.jsonl").write_text("")
    return ["review", str(folder / "set"), "--by", "ann"]


def words_stand_where_the_book_has_them(bench, app, page):
    """Words behind letters that are shown otherwise are saved with the places that they have in the book."""
    item_of(app, page, "claims", "claim-pair-proposed")
    for key in ["e", "ArrowRight", " ", "ArrowRight", "ArrowRight", " ", "ArrowRight", "ArrowRight", " ", "Escape", "3"]:
        page.keyboard.press(key)
    assert page.locator(".w.marked").all_text_contents() == ["a⟦202E⟧b", "\U0001d518nder", "More"]
    line = saved(bench, app, page)
    spans = [tuple(one["span"][end]["symbol"] for end in ("start", "end")) for one in line["said"]["fields"]["spans"]]
    assert [SIGNS[start:end] for start, end in spans] == ["a\u202eb", "\U0001d518nder", "More"], spans


def pages_of(queue, code):
    def pages(bench, app, page):
        named(page, app, "dan")
        return [("first", ""), ("queue", f"q/{queue}"), (code, item_of(app, page, queue, code))]
    return pages


SCENARIOS = [
    Scenario("review-pairs", pairs, pages_of("adequacy", "which-is-true"), (readers_compare,)),
    Scenario("review-explanations", explanations, pages_of("explanations", "explanation"), (explanations_are_judged,)),
    Scenario("review-signs", signs, lambda *_: [], (words_stand_where_the_book_has_them,)),
]
