"""The packet of a private set: one file, opened with a passphrase and from `file:`, without any server."""

import json
import re
import subprocess
import sys
from urllib.parse import urlsplit

from app import chromium
from scenario import Scenario

# Words that stand in the book and the claims, and must stand in no file but the maintainer's own.
MARKS = ["Zyxomander", "quillifrax", "Brennadotte"]
ON = ["--shelf", "shelf", "--key", "ann.key"]


def run(bench, folder, *args, code=0):
    """A command of the maintainer, and all that it prints."""
    ran = subprocess.run([bench.program, *args], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == code, f"{args}: {ran.returncode}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout + ran.stderr


def packet(bench, folder, person, *more):
    """Gives out a packet: its file and its passphrase."""
    said = run(bench, folder, "shelf", "packet", "family", "--for", person, *more, *ON)
    name = re.search(r"in (\S+\.html)", said).group(1)
    return folder / name, re.search(r"passphrase: (\S+)", said).group(1)


def make(bench, folder):
    """A set of thirty pairs on a shelf. There is nothing to serve."""
    # Chapters with a line of their own, so that passages differ.
    line = "Captain {0} found the {1} at the mill on the day {2}. Mrs. {3} carried it to the harbour, and paid {4} shillings."
    day = lambda at: line.format(MARKS[at % 3], MARKS[1], at, MARKS[(at + 1) % 3], at + 3)
    text = "\n\n".join(f"Chapter {at}\n\n{day(at)}\n\n" + "It rained until the evening. " * 40 for at in range(1, 41))
    (folder / "n01.txt").write_text(text)
    rows = ["id,book,true_claim,false_claim,explanation,true_scope,false_scope"]
    for at in range(1, 31):
        true, false = f"{MARKS[at % 3]} found the quillifrax on the day {at}.", f"{MARKS[at % 3]} lost the quillifrax on the day {at}."
        rows.append(f"n01/{at:04},n01,{true},{false},,sentence,sentence")
    (folder / "claims.csv").write_text("\n".join(rows) + "\n")
    run(bench, folder, "shelf", "init", "--shelf", "shelf", "--key", "ann.key", "--no-passphrase")
    run(bench, folder, "shelf", "add", "n01.txt", *ON)
    run(bench, folder, "claims", "import", "claims.csv", "--into", "family", *ON)
    return []


class Opened:
    """A packet in the place of a server."""

    def __init__(self, program, args, folder):
        self.program, self.folder = program, folder

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def enter(self, page):
        pass

    def open(self, page, path):
        """Opens the packet; `path` says which of its pages."""
        page.goto("about:blank")
        page.goto(self.file.as_uri())
        if path == "sealed":
            return 200
        unlock(page, self.word)
        keys = {"first": [], "item": ["Enter"], "book": ["b"], "keys": ["?"]}[path]
        waits = {"first": "#far", "item": "#decide", "book": "#back", "keys": ".keys-table"}[path]
        [page.keyboard.press(key) for key in keys]
        page.wait_for_selector(waits)
        return 200


def unlock(page, word):
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    page.wait_for_selector("#far")


def says(page):
    return page.locator(".status").text_content()


def answer(page, count, key="1"):
    for _ in range(count):
        page.wait_for_selector("#decide")
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_selector(".told-now")


def save(page, folder, name):
    with page.expect_download() as download:
        page.keyboard.press("s")
    assert re.fullmatch(r"votes-[0-9a-f]{8}\.age", download.value.suggested_filename)
    download.value.save_as(folder / name)
    return folder / name


def clear(folder, words, but=()):
    """The files below a folder in which one of the words stands, letter by letter or in two bytes each."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in but]
    sought = [word.lower().encode(code) for word in words for code in ["utf-8", "utf-16-le"]]
    read = lambda path: path.read_bytes().lower()
    return [str(path) for path in files if any(word in read(path) for word in sought)]


def browser_of(page, folder):
    """A browser that keeps on disk what browsers keep, in a folder of its own."""
    kind = page.context.browser.browser_type
    return kind.launch_persistent_context(
        folder, executable_path=chromium(), args=["--no-sandbox"], accept_downloads=True, viewport={"width": 1280, "height": 900}
    )


def watched(context, asked):
    """A page whose requests are noted, and whose errors are."""
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: asked.append(f"error: {error}"))
    page.on("console", lambda message: message.type == "error" and asked.append(message.text))
    return page


def thirty_items_by_keys(bench, app, page):
    """A wrong passphrase; thirty items by keys, closed half way and opened again; the votes are taken in once."""
    folder = app.folder
    app.file, app.word = packet(bench, folder, "bob")
    asked, profile = [], folder / "profile"
    context = browser_of(page, profile)
    page = watched(context, asked)
    page.goto(app.file.as_uri())
    page.keyboard.type("aaaa-bbbb-cccc-dddd-eeee")
    page.keyboard.press("Enter")
    page.wait_for_selector(".told-now.wrong")
    assert "does not open" in says(page) and MARKS[1] not in page.content()
    # As people type: capitals, blanks, letters that look like digits.
    unlock(page, app.word.upper().replace("-", " ").replace("0", "O").replace("1", "l"))
    assert page.locator("h1").text_content() == "30 items for bob"
    page.keyboard.press("Enter")
    page.wait_for_selector("#decide")
    assert page.locator("dt").all_text_contents() == ["A", "B"]
    # The first has a note and a marked sentence, and stays as it was when it is opened again.
    page.wait_for_timeout(2_000)
    for key in ["2", "e", "s", " ", "Escape", "n"]:
        page.keyboard.press(key)
    assert "1 place is marked" in page.locator("#marks").text_content()
    page.keyboard.type(f"as {MARKS[2]} knew")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_selector(".told-now:has-text('Saved: B')")
    page.keyboard.press("k")
    page.wait_for_selector(f"#note:has-text('{MARKS[2]}')")
    assert page.locator("input[name=choice]:checked").count() == 1
    assert "1 place is marked" in page.locator("#marks").text_content() and page.locator(".w.marked").count() > 0
    page.keyboard.press("Enter")
    page.wait_for_selector("#decide:not(:has(input[name=choice]:checked))")
    # The whole book, at the place from which somebody comes.
    page.keyboard.press("m")
    page.wait_for_selector("#back")
    assert page.locator(".book p").count() > 80
    page.keyboard.press("q")
    page.wait_for_selector("#decide")
    # The page of the keys, and back to the item.
    for back in ["Escape", "?"]:
        page.keyboard.press("?")
        page.wait_for_selector(".keys-table")
        page.keyboard.press(back)
        page.wait_for_selector("#decide")
    answer(page, 14)
    page.keyboard.press("h")
    assert "15 of 30 items answered" in page.locator("#facts").text_content()
    # Closed half way, and opened again.
    page.close()
    page = watched(context, asked)
    page.goto(app.file.as_uri())
    unlock(page, app.word)
    assert "15 of 30 items answered" in page.locator("#facts").text_content()
    app.half = save(page, folder, "half.age")
    page.keyboard.press("Enter")
    answer(page, 1, "3")
    page.keyboard.press("u")
    page.wait_for_selector(".told-now:has-text('Undone: n01/0016')")
    answer(page, 15)
    page.wait_for_selector("#done:visible")
    assert "30 of 30 items answered in " in page.locator("#facts").text_content()
    app.votes = save(page, folder, "votes.age")
    assert "Send that file back" in says(page)
    address = page.evaluate("[location.href, document.title].join(' ')")
    # What a page would keep in clear is found below, or the search would mean nothing.
    page.evaluate("localStorage.setItem('other', 'Harrowgimbal')")
    context.close()
    others = [one for one in asked if urlsplit(one).scheme not in ("file", "blob")]
    assert not others, others
    assert address == f"{app.file.as_uri()} Sealed packet", address
    # Nothing of it is on the disk: neither in the files nor in what the browser keeps.
    assert clear(profile, ["Harrowgimbal"]), "nothing is found that the browser keeps"
    assert not clear(folder, MARKS, but=("n01.txt", "claims.csv")), clear(folder, MARKS)
    read = lambda code: run(bench, folder, "shelf", "packet", "family", "--read", "votes.age", *ON, code=code)
    said = read(0)
    took = re.search(r"packet 1 for bob: votes on 30 of 30 items taken in, in (\d+) seconds", said)
    assert took and int(took.group(1)) >= 2, said
    assert "a packet is read once" in read(4)
    listed = json.loads(run(bench, folder, "review", "family", "--queue", "adequacy", "--list", "--format", "json", *ON))
    assert [one["state"] for one in listed] == ["decided"] * 30, listed


def files_go_on_elsewhere_and_only_there(bench, app, page):
    """A file goes on in another browser; another packet's file, a bent one and a word for a file are refused."""
    context = page.context.browser.new_context()
    asked = []
    page = watched(context, asked)
    page.goto(app.file.as_uri())
    unlock(page, app.word)
    assert "0 of 30" in page.locator("#facts").text_content()
    bent = app.folder / "bent.age"
    whole = app.half.read_bytes()
    refusals = [whole[:-1], whole[:400] + bytes([whole[400] ^ 1]) + whole[401:], b"votes"]
    for content in refusals:
        bent.write_bytes(content)
        page.set_input_files("#from", bent)
        page.wait_for_selector(".told-now.wrong:has-text('Nothing was taken')")
        assert "0 of 30" in page.locator("#facts").text_content()
    page.set_input_files("#from", app.half)
    page.wait_for_selector(".told-now:has-text('15 answers taken')")
    assert "15 of 30" in page.locator("#facts").text_content()
    # Two tabs lose nothing of each other's.
    second = watched(context, asked)
    second.goto(app.file.as_uri())
    unlock(second, app.word)
    second.keyboard.press("Enter")
    answer(second, 1)
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    page.wait_for_selector("#decide")
    page.keyboard.press("j")
    answer(page, 1)
    page.keyboard.press("h")
    page.wait_for_selector("#facts:has-text('17 of 30')")
    second.close()
    # Eve's packet takes none of bob's votes, and the set takes none of another packet's.
    file, word = packet(bench, app.folder, "eve", "--items", "n01/0001,n01/0002")
    other = watched(context, asked)
    other.goto(file.as_uri())
    unlock(other, word)
    other.set_input_files("#from", app.half)
    other.wait_for_selector(".told-now.wrong:has-text('not of this packet')")
    other.keyboard.press("Enter")
    answer(other, 2)
    other.wait_for_selector("#done:visible")
    eves = save(other, app.folder, "eve.age")
    assert not [one for one in asked if urlsplit(one).scheme not in ("file", "blob")], asked
    context.close()
    eves_bytes = eves.read_bytes()
    bent.write_bytes(eves_bytes[:300] + bytes([eves_bytes[300] ^ 1]) + eves_bytes[301:])
    read = lambda name, code: run(bench, app.folder, "shelf", "packet", "family", "--read", name, *ON, code=code)
    read("bent.age", 4)
    run(bench, app.folder, "claims", "import", "claims.csv", "--into", "other", *ON)
    said = run(bench, app.folder, "shelf", "packet", "other", "--read", "eve.age", *ON, code=4)
    assert "of no packet of set `other`" in said, said
    assert "votes on 2 of 2 items taken in" in read("eve.age", 0)


def without_storage_and_webcrypto(bench, app, page):
    """A browser that keeps nothing says so, and one without WebCrypto for files seals all the same."""
    context = page.context.browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } });"
        "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined, configurable: true });"
    )
    page = watched(context, [])
    file, word = packet(bench, app.folder, "fay", "--items", "n01/0001,n01/0002")
    page.goto(file.as_uri())
    unlock(page, word)
    page.keyboard.press("Enter")
    answer(page, 1)
    assert "keeps nothing" in says(page)
    page.keyboard.press("h")
    page.wait_for_selector("#lost:visible")
    save(page, app.folder, "fay.age")
    page.wait_for_selector("#lost", state="hidden")
    context.close()
    said = run(bench, app.folder, "shelf", "packet", "family", "--read", "fay.age", *ON)
    assert "votes on 1 of 2 items taken in" in said and "1 item left" in said, said


def pages(bench, app, page):
    return [(name, name) for name in ["sealed", "first", "item", "book", "keys"]]


def has_private(bench):
    """Whether the program was built with private sets."""
    ran = subprocess.run([bench.program, "shelf", "init", "--key-only", "--no-passphrase", "--key", "/dev/null/key"], capture_output=True, text=True)
    if "has no private sets" in ran.stdout + ran.stderr:
        print("skip: packets of private sets: the program has no private sets", file=sys.stderr)
        return False
    return True


SCENARIOS = [
    Scenario(
        "packet",
        make,
        pages,
        (thirty_items_by_keys, files_go_on_elsewhere_and_only_there, without_storage_and_webcrypto),
        wants=has_private,
        app=Opened,
        smoke=True,
    ),
]
