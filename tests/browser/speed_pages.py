"""How long a reader waits: a book of 3 MB, 5,000 items that are decided in it, and a dataset of a million questions where
there is one.

The million is made once, by hand: `cargo xtask bench-tables WORK/million 3334 300 60`.
"""

import html
import json
import os
import pathlib
import random
import re
import statistics
import time

from app import built
from scenario import Scenario

SYMBOLS = 3_000_000

WORKFLOW = """name = "long"
version = "0.1.0"
seed = 1

[publish]
title = "Long"
license = "mit"
canary = "storymill-canary-0123456789abcdef"

[source.books.folder]
path = "books"

[stage.scenes.chunk]
from = "books"
max = 3000

[dataset.books]
from = "books"

[dataset.scenes]
from = "scenes"
"""


def long_text(bench):
    """Chapters of paragraphs, whose sentences are those of the sample books in another order."""
    paragraphs = []
    for path in sorted((bench.top / "data/books").glob("*.html")):
        text = path.read_text(errors="replace")
        found = re.findall(r"<p[^>]*>(.*?)</p>", text, re.S)
        paragraphs += [html.unescape(re.sub(r"<[^>]+>", "", one)).strip() for one in found]
    paragraphs = [one for one in paragraphs if len(one) > 150]
    dice, chapters, symbols = random.Random(1), [], 0
    while symbols < SYMBOLS:
        chapters.append([])
        for _ in range(60):
            sentences = re.split(r"(?<=[.!?”]) ", dice.choice(paragraphs))
            dice.shuffle(sentences)
            chapters[-1].append(" ".join(sentences))
            symbols += len(chapters[-1][-1])
    return chapters


def long_book(bench, folder):
    """One book of 3 MB."""
    page = ["<html><head><title>The Long One</title></head><body>"]
    for at, chapter in enumerate(long_text(bench)):
        page.append(f"<h2>CHAPTER {at + 1}</h2>")
        page += [f"<p>{html.escape(one)}</p>" for one in chapter]
    (folder / "books").mkdir(exist_ok=True)
    (folder / "books/long.html").write_text("\n".join(page) + "</body></html>")
    (folder / "long.toml").write_text(WORKFLOW)
    built(bench.program, ["build", "long.toml"], folder)
    return ["view", "long.toml"]


def many(bench, folder):
    """A set of claims with 5,000 proposals on a book of 3 MB: each a sentence of it, and the same with a word exchanged."""
    chapters = long_text(bench)
    (folder / "set/books").mkdir(parents=True, exist_ok=True)
    (folder / "set/books/long.txt").write_text("\n\n".join("\n\n".join(chapter) for chapter in chapters))
    sentences = [one for chapter in chapters for text in chapter for one in re.split(r"(?<=[.!?”]) ", text)]
    sentences = list(dict.fromkeys(one for one in sentences if 60 < len(one) < 200))
    lines = []
    for at in range(5000):
        # A number makes each pair another one, however few sentences there are.
        true = f"{sentences[at % len(sentences)]} ({at})"
        false = true.replace(" the ", " no ", 1)
        review = {
            "item": f"long/{at:04}/d0/e0",
            "code": "claim-pair-proposed",
            "question": "take these claims as a pair?",
            "excerpt": f"true: {true}\nfalse: {false}",
            "choices": ["drop", "take", "change"],
            "default": "drop",
        }
        lines.append(json.dumps({"review": review, "pair": {"book": "long", "true_claim": true, "false_claim": false}}))
    (folder / "set/drafts.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "set/decisions.jsonl").write_text("")
    return ["claims", "reviews", "set", "--by", "ann"]


def five_thousand_items_wait_for_nobody(bench, app, page):
    # What the machine itself takes: a page for which nothing is looked up.
    bench.took("the page of keys, for comparison", statistics.median(first_paint(app, page, "keys") for _ in range(5)), 0.1)
    cpu_of(app, 10, "the page of keys, for comparison", lambda: first_paint(app, page, "keys"))
    bench.took("5,000 items, first page", statistics.median(first_paint(app, page, "") for _ in range(5)), 0.1)
    bench.took("5,000 items, the queue", statistics.median(first_paint(app, page, "q/claims") for _ in range(5)), 0.1)
    cpu_of(app, 10, "5,000 items, first page", lambda: first_paint(app, page, ""))
    cpu_of(app, 10, "5,000 items, the queue", lambda: first_paint(app, page, "q/claims"))
    app.open(page, "q/claims")
    page.keyboard.press("Enter")
    page.wait_for_url("**/q/claims/*")
    item = page.url[len(app.base):]
    cpu_of(app, 10, "5,000 items, one of them", lambda: first_paint(app, page, item))
    behind = [page.evaluate(NEXT, ["j"]) / 1000 for _ in range(10)]
    saved = [page.evaluate(NEXT, ["1", "Enter"]) / 1000 for _ in range(10)]
    bench.took("5,000 items, a key to the next item", statistics.median(behind), 0.05)
    bench.took("5,000 items, saved and the next item", statistics.median(saved), 0.1)
    path = page.url.split("?")[0][len(app.base):]
    app.open(page, f"{path}?around=3")
    shown = sum(len(text.split()) for text in page.locator(".pick").all_text_contents())
    begins = page.evaluate(KEYS, [1, ["e"]])
    bench.took(f"the key that begins to select evidence among {shown} words, to the next picture", begins[0] / 1000, 0.1)
    times = page.evaluate(KEYS, [40, ["ArrowRight", "ArrowRight", " ", "s", "ArrowRight", "w"]])
    bench.took(f"a key in evidence among {shown} words to the next picture", statistics.median(times) / 1000, 0.05)


def long_pages(bench, app, page):
    return [("book", "book/long"), ("page", "page/long")]


def spent(app):
    """CPU seconds so far of the server, and of all processes of the browser: on a machine that others use they say more than a clock."""
    stats = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        stats[int(path.parent.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))

    def is_ours(pid):
        while pid in stats and pid != os.getpid():
            pid = stats[pid][0]
        return pid == os.getpid()

    others = [pid for pid in stats if pid not in (os.getpid(), app.process.pid) and is_ours(pid)]
    tick = os.sysconf("SC_CLK_TCK")
    return stats[app.process.pid][1] / tick, sum(stats[pid][1] for pid in others) / tick


def cpu_of(app, times, what, do):
    """Does something so many times, and says what CPU one takes."""
    before = spent(app)
    for _ in range(times):
        do()
    server, browser = ((now - then) / times * 1000 for now, then in zip(spent(app), before))
    print(f"CPU: {what}: {server:.0f} ms of the server, {browser:.0f} ms of the browser's processes")


PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  const first = list.getEntriesByName('first-contentful-paint')[0];
  if (first) done(first.startTime);
}).observe({ type: 'paint', buffered: true }))"""


def first_paint(app, page, path):
    """Seconds from asking for a page to the first words on the screen. A short page is loaded before it is painted."""
    app.open(page, path)
    return page.evaluate(PAINT) / 1000


# From the first key to the picture of the page that the keys lead to.
NEXT = """async (keys) => {
  const begun = performance.now();
  const other = new Promise((done) => new MutationObserver((_, all) => { all.disconnect(); done(); }).observe(document.body, { childList: true }));
  for (const key of keys) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await other;
  await new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
  return performance.now() - begun;
}"""


KEYS = """async ([count, keys]) => {
  const times = [];
  for (let at = 0; at < count; at++) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: keys[at % keys.length], bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }));
    times.push(performance.now() - begun);
  }
  return times;
}"""


def a_long_book_opens_and_moves(bench, app, page):
    opened = [first_paint(app, page, "book/long") for _ in range(5)]
    bench.took("a book of 3 MB to its first words", statistics.median(opened), 0.3)
    # What the machine itself takes: a page with next to nothing on it.
    bench.took("the first page, for comparison", statistics.median(first_paint(app, page, "") for _ in range(5)), 0.3)
    cpu_of(app, 10, "the first page, for comparison", lambda: first_paint(app, page, ""))
    cpu_of(app, 10, "a book of 3 MB", lambda: first_paint(app, page, "book/long"))
    app.open(page, "book/long")
    times = page.evaluate(KEYS, [40, ["j", "j", "j", "j", "k"]])
    bench.took("a key in a book of 3 MB to the next picture", statistics.median(times) / 1000, 0.05)


def million(bench, folder):
    return ["view", str(bench.work / "million")]


def a_million_questions_open(bench, app, page):
    bench.took("a million questions to the address", app.seconds_to_address, 1.0)
    bench.took("a million questions, first page", first_paint(app, page, ""), 1.0)
    bench.took("a million questions, first list", first_paint(app, page, "c/wide"), 1.0)
    begun = time.monotonic()
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/wide/**")
    bench.took("a million questions, one of them", time.monotonic() - begun, 1.0)


def has_million(bench):
    if (bench.work / "million/manifest.json").is_file():
        return True
    print("skip: a million questions in the browser: `cargo xtask bench-tables WORK/million 3334 300 60` makes them")
    return False


SCENARIOS = [
    Scenario("long-book", long_book, long_pages, (a_long_book_opens_and_moves,)),
    Scenario("review-many", many, lambda *_: [], (five_thousand_items_wait_for_nobody,)),
    Scenario("million", million, lambda *_: [("list", "c/wide")], (a_million_questions_open,), wants=has_million),
]
