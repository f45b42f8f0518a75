"""Every score is the program's, to the last digit: the quickstart, random rows, gold data."""

import json
import random
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any, Dict, List

import storymill

from program import FOLDER, SHARED, run, score

WORDS = """the a an The cat cats running happily skies flies geology relational "Good" 'Tis 'twas
can't cannot gonna wanna don't I'm we'll dogs' 'a b' 3,000 $5 U.S.A. ... -- – (what) [x] “yes”
‘no’ yes no noanswer No. king of spain Éa É café İstanbul ΣΑΣ ſo 's hopping agreed controlling
news innings died ties caresses hopefully , . : ; ? ! * ` `` '' « » &c. @home #1 50% a_b and/or
the–dog men fellow man more'n d'ye gimme lemme gotta 'T ' " .) end." x. y.z 1st ²½ 国王 是 K""".split()
CHINESE = [*"国王是的亚瑟他在，。《》", "亚瑟", "国王", "abc", "A，"]


def text(draw: random.Random, most: int = 14) -> str:
    gaps = [" ", " ", " ", "", "\n", "\t", "\x1f", "\x00"]
    weights = [20, 20, 20, 6, 3, 1, 1, 1]
    words = (draw.choice(WORDS) for _ in range(draw.randint(0, most)))
    return "".join(word + draw.choices(gaps, weights)[0] for word in words)


def row(draw: random.Random, at: int) -> Dict[str, Any]:
    names = {
        "id": draw.choice([at, f"q{at}", at + 0.5]),
        "cluster": draw.choice(["a", "b", "é", 7]),
    }
    if draw.random() < 0.15:
        said, right, keys = (draw.choices(CHINESE, k=draw.randint(0, 6)) for _ in range(3))
        found = {"pred": "".join(said), "answer": "".join(right), "lang": "zh", **names}
        if draw.random() < 0.5:
            found["answer_keywords"] = "".join(keys)
        # The program would cut what has no words here; see `test_rows_without_a_score`.
        tokens = {"tokens_prediction": said, "tokens_answer": right, "tokens_keywords": keys}
        return {**found, **tokens}
    found = {
        "prediction": text(draw),
        "references": [text(draw) for _ in range(draw.randint(1, 3))],
    }
    if draw.random() < 0.2:
        found["references"][-1] = found["prediction"]
    if draw.random() < 0.5:
        found["keywords"] = text(draw, 4)
    return {**found, **names}


class Scores(unittest.TestCase):
    maxDiff = 2000

    def test_the_quickstart(self) -> None:
        data = storymill.Dataset(FOLDER)
        said: Dict[str, Any] = {}
        for at, question in enumerate(data.rows("eval")):
            free = question["question"] + " " + question["reference"][at % 50 :]
            said[question["question_id"]] = at % 6 if question["options"] else free
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
        self.assertAlmostEqual(chosen[0]["chance"], 1 / 6)
        self.assertEqual([column["name"] for column in chosen], ["accuracy"])
        # The right option in words is as good as its position.
        perfect = data.score("eval", said)["options"]["columns"][0]["mean"]
        self.assertEqual(perfect, 1.0)
        with self.assertRaisesRegex(storymill.DatasetError, "several forms.*form='free-text'"):
            data.lines("eval", said)
        self.assertEqual(len(data.lines("eval", said, form="options")), len(guessed))

    def test_random_rows(self) -> None:
        draw = random.Random(9)
        rows = [row(draw, at) for at in range(3000)]
        with self.assertWarns(UserWarning):
            found = storymill.score(rows, seed=2**64 - 1)
        self.same(found, score(rows, "--seed", str(2**64 - 1)))
        self.assertGreater(len(found["rejects"]), 50)
        self.assertGreater(sum(1 for line in found["rows"] if line["scores"][0] == 1.0), 100)

    def test_rows_without_a_score(self) -> None:
        rows = [
            {"prediction": "国王。", "answer": "国王", "lang": "zh"},
            {"prediction": "x", "answer": " "},
        ]
        with self.assertWarnsRegex(
            UserWarning, "2 of 2 rows not scored; the first is row 1: a Chi"
        ):
            found = storymill.score(rows)
        self.assertEqual([reject["line"] for reject in found["rejects"]], [1, 2])
        told = score(rows)
        self.assertEqual([reject["line"] for reject in told["rejects"]], [2])
        self.assertEqual((told["rows"][0]["scores"][1], told["dictionary"]), (1.0, "jieba-rs-0.11"))

    def test_long_texts(self) -> None:
        draw = random.Random(4)
        rows = [
            {"prediction": text(draw, 700), "reference": text(draw, 700), "cluster": at % 3}
            for at in range(20)
        ]
        self.same(storymill.score(rows), score(rows))

    def test_lists_of_ones_own(self) -> None:
        draw = random.Random(5)
        rows = [row(draw, at) for at in range(300)]
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
            self.assertGreater(
                found["columns"][10]["mean"], storymill.score(rows)["columns"][10]["mean"]
            )

    def test_a_whole_wordnet(self) -> None:
        folder = Path("/usr/share/wordnet")
        if not folder.is_dir():
            print("skip: no WordNet in /usr/share/wordnet")
            return
        draw = random.Random(6)
        rows = [row(draw, at) for at in range(500)]
        self.same(storymill.score(rows, wordnet=folder), score(rows, "--wordnet", str(folder)))

    def test_gold_files(self) -> None:
        gold = SHARED / "golden"
        if not gold.is_dir():
            print("skip: ../shared/golden is not here")
            return
        for name, rows in (
            ("narrativeqa/answer_pairs.jsonl", 736),
            ("lveval/metric_cases.jsonl", 79),
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = storymill.score_file(gold / name)
            told = json.loads(run("score", "answers", str(gold / name), "--format", "json"))
            # The program scores all of them: it cuts the Chinese keywords, which have no words here.
            self.assertEqual((len(told["rows"]), told["rejects"]), (rows, []))
            self.assertEqual(len(found["rows"]) + len(found["rejects"]), rows)
            own = {row["line"]: row for row in told["rows"]}
            self.assertEqual([own[row["line"]] for row in found["rows"]], found["rows"])

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
