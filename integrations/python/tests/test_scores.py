"""Rows, files and options reach the program's scores as they are meant, and what it refuses comes back."""

import json
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import storymill

from program import FOLDER, run, score

WORDS = "the a cats running happily “yes” no news men fellow man King É café".split()


def row(draw: random.Random) -> Dict[str, Any]:
    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, 9)))

    if draw.random() < 0.2:
        return {"pred": "国王是的", "answer": "国王", "lang": "zh", "answer_keywords": "王"}
    return {"prediction": text(), "references": [text(), text()], "keywords": text()}


class Scores(unittest.TestCase):
    maxDiff = 2000

    def test_the_quickstart(self) -> None:
        data = storymill.Dataset(FOLDER)
        said: Dict[str, Any] = {}
        for at, question in enumerate(data.rows("eval")):
            free = question["question"] + " " + question["reference"][at % 50 :]
            options = question["options"]
            said[question["question_id"]] = at % len(options) if options else free
        lines = data.lines("eval", said, form="free-text")
        tables = data.score("eval", said, seed=3)
        self.assertEqual(list(tables), ["options", "free-text"])
        found = tables["free-text"]
        self.assertEqual(found, score(lines, "--seed", "3"))
        self.assertEqual(storymill.score(lines, seed=3), found)
        self.assertIsNotNone(found["columns"][0]["interval"])
        pairs = storymill.score(lines, one_reference=True)
        self.assertEqual(pairs, score(lines, how="pairs"))
        split = {name: said[name] for name in data.load("eval", "test")["question_id"].to_pylist()}
        parts = data.score("eval", split, "test")
        self.assertEqual(sum(len(part["rows"]) for part in parts.values()), len(split))

    def test_forms_are_never_mixed(self) -> None:
        """Perfect repairs and guessed options: neither lifts or lowers the other."""
        data = storymill.Dataset(FOLDER)
        rows = list(data.rows("eval"))
        self.assertEqual(sorted(data.forms("eval")), ["free-text", "options"])
        said = {row["question_id"]: row["reference"] for row in rows}
        draw = random.Random(1)
        guessed = {
            row["question_id"]: draw.randrange(len(row["options"]))
            for row in rows
            if row["options"]
        }
        tables = data.score("eval", {**said, **guessed})
        (free, chosen) = tables["free-text"]["columns"], tables["options"]["columns"]
        self.assertEqual((free[0]["name"], free[0]["mean"]), ("em", 1.0))
        right = sum(row["answer"] == guessed.get(row["question_id"]) for row in rows)
        self.assertEqual(chosen[0]["mean"], right / len(guessed))
        # Forms have four options or six.
        counts = [len(row["options"]) for row in rows if row["options"]]
        self.assertAlmostEqual(chosen[0]["chance"], sum(1 / count for count in counts) / len(counts))
        self.assertEqual([column["name"] for column in chosen], ["accuracy"])
        # The right option in words is as good as its position.
        perfect = data.score("eval", said)["options"]["columns"][0]["mean"]
        self.assertEqual(perfect, 1.0)
        with self.assertRaisesRegex(storymill.DatasetError, "several forms.*form='free-text'"):
            data.lines("eval", said)
        self.assertEqual(len(data.lines("eval", said, form="options")), len(guessed))

    def test_rows_without_a_score(self) -> None:
        rows = [
            {"prediction": "国王。", "answer": "国王", "lang": "zh"},
            {"prediction": "x", "answer": " "},
        ]
        with self.assertWarnsRegex(UserWarning, "1 of 2 rows not scored; the first is row 2: a ref"):
            found = storymill.score(rows)
        self.assertEqual([reject["line"] for reject in found["rejects"]], [2])
        self.assertEqual((found["rows"][0]["scores"][1], found["dictionary"]), (1.0, "jieba-rs-0.11"))

    def test_seeds(self) -> None:
        rows = [
            {"prediction": "the cat", "reference": "a cat" if at % 3 else "a dog", "cluster": str(at)}
            for at in range(9)
        ]
        largest = storymill.score(rows, seed=2**64 - 1)
        self.same(largest, score(rows, "--seed", str(2**64 - 1)))
        self.assertNotEqual(largest["columns"][1]["interval"], storymill.score(rows)["columns"][1]["interval"])

    def test_lists_of_ones_own(self) -> None:
        draw = random.Random(5)
        rows = [row(draw) for _ in range(100)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lists.json"
            lists = {
                "blacklist_en": ["king", "é"],
                "blacklist_zh": ["王"],
                "punctuation_zh": "，。",
            }
            path.write_text(json.dumps(lists), encoding="utf-8")
            self.same(storymill.score(rows, wordlists=path), score(rows, "--wordlists", str(path)))

    def test_synonyms(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            small_wordnet(Path(folder))
            rows = [
                {"prediction": said, "reference": right}
                for said in ("cat fellow", "men cats running", "feline dog", "catties", "fellows")
                for right in ("man true_cat", "feline fellow", "the cat", "man man men")
            ]
            found = storymill.score(rows, wordnet=folder)
            self.same(found, score(rows, "--wordnet", folder))
            net = storymill.scoring.WordNet(folder)
            self.assertEqual(storymill.score(rows, wordnet=net), found)
            self.assertGreater(
                found["columns"][10]["mean"], storymill.score(rows)["columns"][10]["mean"]
            )

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.jsonl"
            rows = [{"prediction": "a key", "reference": "the key", "id": at} for at in range(4)]
            path.write_text("".join(json.dumps(row) + "\n\n" for row in rows), encoding="utf-8")
            found = storymill.score_file(path)
            self.assertEqual(found, json.loads(run("score", "answers", str(path), "--format", "json")))
            self.assertEqual([row["line"] for row in found["rows"]], [1, 3, 5, 7])

    def same(self, found: Dict[str, Any], told: Dict[str, Any]) -> None:
        lines: List[Any] = [pair for pair in zip(found["rows"], told["rows"]) if pair[0] != pair[1]]
        self.assertEqual(lines[:3], [])
        self.assertEqual(found, told)


def small_wordnet(folder: Path) -> None:
    """A WordNet of two senses, with true offsets."""
    head = "  1 This is WordNet 3.0 Copyright 2006\n"
    cat = len(head)
    line = f"{cat:08} 05 n 03 cat 0 true_cat 0 feline(a) 0 000 | an animal\n"
    man = cat + len(line)
    data = f"{head}{line}{man:08} 18 n 02 man 0 fellow 0 000 | a person\n"
    index = (
        f"{head}cat n 1 2 @ ~ 1 0 {cat:08}  \nfeline n 1 0 1 0 {cat:08}  \n"
        f"fellow n 1 0 1 0 {man:08}  \nman n 1 0 1 0 {man:08}  \n"
    )
    for part in ("noun", "verb", "adj", "adv"):
        noun = part == "noun"
        (folder / f"index.{part}").write_text(index if noun else head)
        (folder / f"data.{part}").write_text(data if noun else head)
        (folder / f"{part}.exc").write_text("catties cat\n" if noun else "")


if __name__ == "__main__":
    unittest.main()
