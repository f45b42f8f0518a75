#!/usr/bin/env python3
"""The pages of storymill in a real browser: each at two widths, dark and light, as a picture and before axe-core;
what people do by keyboard alone.

    run.py PROGRAM WORK [--full] [--only WORD]

`PROGRAM` is the binary, `WORK` a folder for what is built and for the pictures (`WORK/shots`). `WORK/axe.min.js` is
axe-core; without it a line says that it did not run. One scenario is a smoke test; `--full` runs all.

Scenarios stand in `view_pages.py`, and in any other `*_pages.py` beside it: a list `SCENARIOS`.
"""

import argparse
import importlib
import os
import pathlib
import sys
import time

from playwright.sync_api import sync_playwright

from app import chromium

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = {1280: 900, 390: 844}
SCHEMES = ["light", "dark"]
# What axe-core calls the two worst kinds of fault.
BAD = {"serious", "critical"}


class Bench:
    """What a scenario gets: the program, where to work, the repository."""

    def __init__(self, program, work, full):
        self.program, self.work, self.full = program, work, full
        self.top = HERE.parent.parent
        self.faults = []
        self.seconds = []

    def fault(self, text):
        print(f"fault: {text}")
        self.faults.append(text)

    def took(self, what, seconds, bar):
        """Notes a time in seconds beside the bar that it is held to, which only full runs enforce."""
        print(f"time: {what}: {seconds * 1000:.0f} ms (bar {bar * 1000:.0f} ms)")
        self.seconds.append((what, seconds, bar))


def watched(page, bench, name):
    """Errors of scripts and refusals by the policy are faults."""
    page.on("pageerror", lambda error: bench.fault(f"{name}: {error}"))

    def console(message):
        # Browsers ask for the sign of a site when they like, also of a server that a scenario has just killed.
        is_sign = message.location["url"].endswith("/favicon.ico")
        if message.type == "error" and not is_sign and "the server responded with a status of 4" not in message.text:
            bench.fault(f"{name}: {message.text} ({message.location['url']})")

    page.on("console", console)


def axe_of(page, axe):
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    for one in found["violations"]:
        if one["impact"] in BAD:
            where = "; ".join(" ".join(map(str, node["target"])) for node in one["nodes"][:4])
            yield f"{one['id']} ({one['impact']}): {one['help']}: {where}"


def finds_faults(browser, axe):
    """That axe-core finds what is bad, or its silence means nothing."""
    page = browser.new_page()
    page.set_content("<html><body><img src='data:,'><input></body></html>")
    found = " ".join(axe_of(page, axe))
    assert "image-alt" in found and "label" in found, f"axe-core finds nothing: {found}"
    page.close()


def pictures(page, app, scenario, bench, axe, shots):
    """Each page at each width, dark and light."""
    for name, path in scenario.pages(bench, app, page):
        for width, height in WIDTHS.items():
            for scheme in SCHEMES:
                # A smoke test sees each width and each scheme once.
                if not bench.full and (width == 1280) != (scheme == "light"):
                    continue
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                status = app.open(page, path)
                place = f"{scenario.name}-{name}-{width}-{scheme}"
                if status != 200:
                    bench.fault(f"{place}: status {status} of {path}")
                # Waits until the sought place is reached, then shows what a reader sees first.
                page.wait_for_timeout(60)
                page.screenshot(path=shots / f"{place}.png")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    bench.fault(f"{place}: {wide} pixels wider than the window")
                if scenario.also:
                    scenario.also(page, lambda what: page.screenshot(path=shots / f"{place}-{what}.png"))
                for fault in axe_of(page, axe) if axe else ():
                    bench.fault(f"{place}: {fault}")


def run(scenario, bench, browser, axe, shots):
    begun = time.monotonic()
    folder = bench.work / scenario.name
    folder.mkdir(parents=True, exist_ok=True)
    args = scenario.make(bench, folder)
    with scenario.app(bench.program, args, folder) as app:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.set_default_timeout(20_000)
        watched(page, bench, scenario.name)
        app.enter(page)
        for path in scenario.paths:
            page.set_viewport_size({"width": 1280, "height": 900})
            page.emulate_media(color_scheme="light")
            try:
                path(bench, app, page)
                print(f"  {path.__name__.replace('_', ' ')}")
            except Exception as error:
                page.screenshot(path=shots / f"fault-{scenario.name}-{path.__name__}.png")
                print(page.url)
                bench.fault(f"{scenario.name}: {path.__name__}: {error}")
        pictures(page, app, scenario, bench, axe, shots)
        context.close()
    print(f"{scenario.name}: {time.monotonic() - begun:.1f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--full", action="store_true", default=os.environ.get("CI_FULL") == "1")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    bench = Bench(str(args.program.resolve()), args.work.resolve(), args.full)
    shots = bench.work / "shots"
    shots.mkdir(parents=True, exist_ok=True)
    axe = bench.work / "axe.min.js"
    axe = axe.read_text() if axe.is_file() else ""
    if not axe:
        print("skip: axe-core on pages: no axe.min.js (npm pack axe-core)")
    modules = sorted(path.stem for path in HERE.glob("*_pages.py"))
    scenarios = [one for name in modules for one in importlib.import_module(name).SCENARIOS]
    wanted = [one for one in scenarios if args.only in one.name and (args.full or args.only or one.smoke)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        if axe:
            finds_faults(browser, axe)
        for scenario in filter(lambda one: one.wants(bench), wanted):
            run(scenario, bench, browser, axe, shots)
        browser.close()
    for what, seconds, bar in bench.seconds:
        if bench.full and seconds > bar:
            bench.fault(f"{what} took {seconds * 1000:.0f} ms, and {bar * 1000:.0f} are allowed")
    left = [one.name for one in scenarios if one not in wanted]
    if left:
        print(f"skip: browser scenarios {', '.join(left)}: set CI_FULL=1")
    print(f"pictures of pages: {shots}")
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
