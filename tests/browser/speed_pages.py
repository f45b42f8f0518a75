"""How long a reader waits: a book of 3 MB, and a dataset of a million questions where there is one.

The million is made once, by hand: `cargo xtask bench-tables WORK/million 3334 300 60`.
"""

import html
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


def long_book(bench, folder):
    """One book, whose sentences are those of the sample books in another order."""
    paragraphs = []
    for path in sorted((bench.top / "data/books").glob("*.html")):
        text = path.read_text(errors="replace")
        found = re.findall(r"<p[^>]*>(.*?)</p>", text, re.S)
        paragraphs += [html.unescape(re.sub(r"<[^>]+>", "", one)).strip() for one in found]
    paragraphs = [one for one in paragraphs if len(one) > 150]
    dice, page, symbols = random.Random(1), ["<html><head><title>The Long One</title></head><body>"], 0
    while symbols < SYMBOLS:
        page.append(f"<h2>CHAPTER {sum(line.startswith('<h2') for line in page) + 1}</h2>")
        for _ in range(60):
            sentences = re.split(r"(?<=[.!?”]) ", dice.choice(paragraphs))
            dice.shuffle(sentences)
            symbols += len(" ".join(sentences))
            page.append(f"<p>{html.escape(' '.join(sentences))}</p>")
    (folder / "books").mkdir(exist_ok=True)
    (folder / "books/long.html").write_text("\n".join(page) + "</body></html>")
    (folder / "long.toml").write_text(WORKFLOW)
    built(bench.program, ["build", "long.toml"], folder)
    return ["view", "long.toml"]


def long_pages(bench, app, page):
    return [("book", "book/long"), ("page", "page/long")]


PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  const first = list.getEntriesByName('first-contentful-paint')[0];
  if (first) done(first.startTime);
}).observe({ type: 'paint', buffered: true }))"""


def first_paint(app, page, path):
    """Seconds from asking for a page to the first words on the screen. A short page is loaded before it is painted."""
    app.open(page, path)
    return page.evaluate(PAINT) / 1000


KEYS = """async (count) => {
  const times = [];
  for (let at = 0; at < count; at++) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: at % 5 === 4 ? 'k' : 'j', bubbles: true }));
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
    times = page.evaluate(KEYS, 40)
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
    Scenario("million", million, lambda *_: [("list", "c/wide")], (a_million_questions_open,), wants=has_million),
]
