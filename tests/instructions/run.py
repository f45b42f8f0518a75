"""How many instructions the program takes for the work that users wait for, against the counts kept in counts.json.

python run.py PROGRAM WORK [--keep]      wants valgrind; with --keep the counts are written and not compared

A count repeats to a fraction of a percent on a busy machine, where seconds do not. One that is 5 % above what is kept fails; one that is 5 % below
is told, so that it is kept. Counts are of the `release` profile on x86-64 with the compiler that counts.json names.
"""

import json
import platform
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM, WORK = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
TOP = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).with_name("counts.json")
MOST = 1.05


def answers(path):
    """Two hundred answers of two lengths, the same each time."""
    draw = random.Random(3)
    words = (TOP / "data/books/sm01.html").read_text(encoding="utf-8").split()[200:4000]
    words = [word for word in words if word.isalpha()]

    def text(length):
        start = draw.randrange(len(words) - length)
        return " ".join(words[start : start + length])

    with open(path, "w", encoding="utf-8") as lines:
        for at in range(200):
            long = text(300 if at % 2 else 12)
            row = {"prediction": long, "reference": " ".join(draw.sample(long.split(), 10)) + " " + text(12), "cluster": str(at % 9)}
            lines.write(json.dumps(row) + "\n")


def chains():
    """Jobs by name; those of a chain need what the ones before it made."""
    alice, flows = TOP / "data/books/alice.html", TOP / "workflows"
    store = ["--threads", "1", "--store"]
    quickstart = ["--out", WORK / "quick", *store, WORK / "quick-store"]
    answers(WORK / "answers.jsonl")
    return [
        {"clean a page": ["book", "clean", alice, "--out", WORK / "text"]},
        {"find who is in a novel (perceptron)": ["book", "cast", alice, "--tagger", "perceptron", "--out", WORK / "alice.toml"]},
        {"replace the names of a novel": ["book", "substitute", alice, "--cast", TOP / "data/casts/alice.cast.toml", "--out", WORK / "other.txt"]},
        {"score 200 answers": ["score", "answers", WORK / "answers.jsonl"]},
        {"mix contexts and publish": ["build", flows / "lveval.toml", "--out", WORK / "lveval", *store, WORK / "lveval-store"]},
        {"build by rule and publish": ["build", flows / "by-rule.toml", "--out", WORK / "rule", *store, WORK / "rule-store"]},
        {
            "build the quickstart": ["build", flows / "quickstart.toml", *quickstart],
            "build it again": ["build", flows / "quickstart.toml", *quickstart],
            "verify it": ["verify", WORK / "quick"],
            "audit it": ["audit", WORK / "quick"],
            "compare it with itself": ["diff", WORK / "quick", WORK / "quick"],
        },
    ]


def count(name, words):
    out = WORK / f"{re.sub('[^a-z0-9]+', '-', name)}.cachegrind"
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={out}"]
    ran = subprocess.run([*valgrind, PROGRAM, *map(str, words)], cwd=WORK, capture_output=True, text=True)
    # 5: rejects that are named; the answers have some.
    assert ran.returncode in (0, 5), f"{name}: {ran.returncode}\n{ran.stderr[-3000:]}"
    return int(re.search(r"^summary:\s+(\d+)", out.read_text(), re.M)[1])


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda chain: {name: count(name, words) for name, words in chain.items()}, chains())
        found = {name: number for chain in done for name, number in chain.items()}
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()[1]
    if "--keep" in sys.argv:
        KEPT.write_text(json.dumps({"compiler": compiler, "instructions": found}, indent=2) + "\n")
    kept = json.loads(KEPT.read_text())
    if kept["compiler"] != compiler or platform.machine() != "x86_64":
        print(f"skip: instruction counts: kept for rustc {kept['compiler']} on x86-64, here is {compiler} on {platform.machine()}")
        return
    assert set(found) == set(kept["instructions"]), "other jobs than those that are kept: run with --keep"
    worse = []
    for name, number in found.items():
        ratio = number / kept["instructions"][name]
        print(f"{number / 1e6:10,.0f} million  {100 * (ratio - 1):+6.2f} %  {name}")
        worse += [name] if ratio > MOST else []
        if ratio < 2 - MOST:
            print(f"{name}: {100 * (1 - ratio):.0f} % fewer than kept; keep the new counts with --keep")
    assert not worse, f"5 % more instructions than kept: {', '.join(worse)}"


if __name__ == "__main__":
    main()
