#!/usr/bin/env python3
"""Pages made into EPUBs by pandoc and Calibre, and cleaned: the text must be that of the page.

    convert.py STORYMILL WORK           one page, by what is installed here
    convert.py STORYMILL WORK --all     every page of ../shared/books

Every page goes through each converter once, as EPUB 2 or EPUB 3 by turns; Calibre also splits the files small and
nests the table of contents. An EPUB's text is scored against the text cleaned from the page: token F1 at least
0.995, and the same chapters. One line for each converter that is not here, and for each EPUB that falls short.
"""

import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SHARED = TOP / "../shared/books"
F1, CHAPTERS = 0.995, 0.98

# What marks the chapters of this page is the space above its paragraphs, which pandoc leaves out.
UNMARKED = {("pandoc", "27166")}

PANDOC = {
    "2": ["--epub-chapter-level=1"],
    "3": ["--epub-chapter-level=2", "--toc", "--toc-depth=3"],
}
CALIBRE = {
    "2": ["--epub-version=2"],
    "3": ["--epub-version=3", "--flow-size=60", "--epub-inline-toc"]
    + [f"--level{level}-toc=//h:h{level}" for level in (1, 2, 3)],
}


def pages(work, every):
    """The pages as `ID.html` in UTF-8, which is all that pandoc reads."""
    found = []
    if every and SHARED.is_dir():
        with open(SHARED / "catalog.csv", encoding="utf-8") as rows:
            files = [SHARED / row["file"] for row in csv.DictReader(rows)]
    else:
        if every:
            print("skip: ../shared is not here")
        files = [TOP / "data/books/sm07.html"]
    (work / "pages").mkdir(parents=True)
    for number, file in enumerate(files):
        data = file.read_bytes()
        data = gzip.decompress(data) if file.suffix == ".gz" else data
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("windows-1252", "replace")
        text = re.sub(r"(charset\s*=\s*[\"']?)[\w-]+", r"\1utf-8", text, flags=re.I)
        text = re.sub(r"(<\?xml[^>]*encoding=[\"'])[^\"']+", r"\1utf-8", text)
        page = work / "pages" / f"p{number:02}-{file.name.split('.')[0]}.html"
        page.write_text(text, encoding="utf-8")
        found.append(page)
    return found


def convert(job):
    """Makes one EPUB; what went wrong, if anything did."""
    tool, version, page, out = job
    if tool == "pandoc":
        command = ["pandoc", "-f", "html", "-t", f"epub{version}", *PANDOC[version], page, "-o", out]
    else:
        command = ["ebook-convert", page, out, *CALIBRE[version]]
    settings = {
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox",
        # One for each, as two that begin at once fall over each other.
        "CALIBRE_CONFIG_DIRECTORY": str(out.parent.parent / "settings" / out.stem),
    }
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True)
    return None if out.exists() else f"{out.name}: {tool} failed: {done.stderr.strip()[-300:]}"


def main():
    storymill, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    tools = []
    for tool, program in (("pandoc", "pandoc"), ("Calibre", "ebook-convert")):
        if shutil.which(program):
            tools.append(tool)
        else:
            print(f"skip: EPUBs by {tool}: {tool} is not installed")
    if not tools:
        return 0
    every = "--all" in sys.argv[3:]
    found = pages(work, every)
    jobs = []
    for tool in tools:
        (work / tool).mkdir()
        for number, page in enumerate(found):
            versions = ["23"[(number + (tool == "pandoc")) % 2]] if every else ["2", "3"]
            for version in versions:
                jobs.append((tool, version, page, work / tool / f"{page.stem}.v{version}.epub"))
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        wrong = [line for line in workers.map(convert, jobs) if line]
    run = lambda *args: subprocess.run([storymill, "book", "clean", *args], check=True, capture_output=True, text=True).stdout
    run(work / "pages", "--out", work / "texts")
    for tool in tools:
        # Both versions of one page have its text.
        for epub in (work / tool).glob("*.epub"):
            text = work / "texts" / f"{epub.name.split('.')[0]}.txt"
            shutil.copy(text, work / "texts" / f"{epub.stem}.txt")
        rows = json.loads(run(work / tool, "--gold", work / "texts", "--format", "json"))["pages"]
        worst = min(row["score"]["f1"] for row in rows)
        print(f"{tool}: {len(rows)} EPUBs, worst F1 {worst:.4f}")
        for row in rows:
            score = row["score"]
            name = row["file"].split("-")[-1].split(".")[0]
            chapters = (tool, name) in UNMARKED or score["chapter_f1"] >= CHAPTERS
            if score["f1"] < F1 or not chapters or row["traces"]:
                wrong.append(f"{row['file']}: F1 {score['f1']:.4f}, chapter F1 {score['chapter_f1']:.4f}, traces {row['traces']}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
