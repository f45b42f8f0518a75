#!/usr/bin/env python3
"""Makes the seeds that are not plain text: STORYMILL=target/release/storymill python3 fuzz/seeds.py

A published folder of two small tables, a statement with a revealed pair, a sealed record, two indexes of a shelf, a
pack of answers. Shelves draw what they need at random, so those seeds differ from run to run."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = HERE / "seeds"
PROGRAM = os.path.abspath(os.environ.get("STORYMILL", HERE.parent / "target/release/storymill"))
# As in src/lib.rs: the key of age whose every byte is 0x42. It guards nothing.
KEY = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"

STORY = """{title}

By Ann Venn

CHAPTER I. The Offer

It was late when the man came to the mill. Anne saw him from the window, and did not go down. "I will not sell it," she
said to Ben. He laughed, and put the letter on the table. It rained all night, and in the morning the river had risen.

CHAPTER II. The {thing}

She burnt the {thing}, and went home through the rain. Carl had sold the horse for nine pounds, and he told nobody. In the
evening the three of them sat by the fire, and Anne said that the mill was theirs as long as the wheel turned.
"""

WORKFLOW = """name = "seed"
version = "0.1.0"
seed = 1
[publish]
title = "Seed"
license = "mit"
canary = "storymill-canary-of-a-fuzz-seed"
[source.books.folder]
path = "books"
min_kept = 0
[stage.scenes.chunk]
from = "books"
max = 300
[dataset.books]
from = "books"
[dataset.scenes]
from = "scenes"
"""


def run(folder, *arguments):
    subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def keep(name, data):
    path = SEEDS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def published(folder):
    (folder / "books").mkdir()
    for number, (title, thing) in enumerate([("THE MILL", "letter"), ("THE RIVER", "boat")]):
        (folder / f"books/b{number}.txt").write_text(STORY.format(title=title, thing=thing))
    (folder / "seed.toml").write_text(WORKFLOW)
    run(folder, "build", "seed.toml", "--out", "out", "--store", "store")
    shutil.rmtree(SEEDS / "verify", ignore_errors=True)
    shutil.copytree(folder / "out", SEEDS / "verify")


def private(folder):
    (folder / "key").write_text(KEY + "\n")
    pairs = [
        {"id": f"mill/{n}", "book": "mill", "true_claim": f"Anne keeps {n} letters.", "false_claim": f"Anne burns {n} letters."}
        for n in range(3)
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    (folder / "b.txt").write_text(STORY.format(title="THE MILL", thing="letter"))
    with_key = ["--key", "key", "--shelf", "shelf"]
    run(folder, "shelf", "init", *with_key)
    run(folder, "shelf", "add", "b.txt", "--id", "mill", *with_key)
    run(folder, "claims", "import", "pairs.jsonl", "--into", "mill", *with_key)
    run(folder, "shelf", "state", "mill", "--version", "1.0.0", "--out", "one.json", *with_key)
    run(folder, "shelf", "state", "mill", "--reveal", "mill/1", "--out", "pair.json", *with_key)
    run(folder, "claims", "remove", "mill", "mill/2", "--reason", "it was answered in public", *with_key)
    run(folder, "shelf", "state", "mill", "--version", "1.1.0", "--out", "two.json", *with_key)
    one, two, pair = ((folder / name).read_bytes() for name in ("one.json", "two.json", "pair.json"))
    keep("statement/revealed", one + b"\n---\n" + b"\n---\n" + pair)
    keep("statement/chain", two + b"\n---\n" + one)
    smallest = min((folder / "shelf/records").iterdir(), key=lambda path: path.stat().st_size)
    keep("shelf_record/record", smallest.read_bytes())
    keep("shelf_record/key", (KEY + "\n").encode())


def varint(number):
    bytes_ = bytearray()
    while number > 127:
        bytes_.append(number & 127 | 128)
        number >>= 7
    return bytes(bytes_ + bytes([number]))


def text(words):
    return varint(len(words.encode())) + words.encode()


def indexes():
    """What stands in an index, in postcard, less what only a random key could sign."""
    extent = text("0123456789abcdef" * 2) + varint(21) + bytes(32)
    files = varint(1) + text("books/mill") + varint(1) + extent
    recipient = text("age1" + "q" * 58)
    unsigned = bytes(32) + varint(1) + recipient + text("storymill-canary") + files
    session = varint(7) + bytes(32) + varint(1)
    maintainers = varint(1) + recipient + b"\x01" + bytes(32)
    signed = bytes(16) + varint(1) + varint(1) + session + bytes(32) + maintainers + text("storymill-canary") + files
    keep("shelf_record/index-unsigned", unsigned)
    keep("shelf_record/index", b"storymill index 2\n" + bytes(32) + bytes(64) + signed)


def pack():
    """The answers of the seed of a log, sealed."""
    log = (SEEDS / "answer_log/four.log").read_bytes()
    frames, at = [], 16
    while at + 18 <= len(log):
        (length,) = struct.unpack_from("<I", log, at + 4)
        frame = log[at : at + 18 + length]
        if frame[8] == 1:
            frames.append(frame)
        at += len(frame)
    frames.sort(key=lambda frame: frame[18:82])
    body, rows = bytearray(b"storymill pack1\n"), bytearray()
    for frame in frames:
        rows += frame[18:50] + frame[50:58] + struct.pack("<II", len(body), len(frame))
        body += frame
    # The target puts the right digest in place of the zeros.
    keep("answer_pack/four.pack", bytes(body + rows + struct.pack("<QQ", len(body), len(frames)) + bytes(32) + b"storymill index\n"))


for make in (published, private):
    with tempfile.TemporaryDirectory() as folder:
        make(pathlib.Path(folder))
indexes()
pack()
