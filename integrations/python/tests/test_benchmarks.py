"""Pair accuracy and StorySumm's table are the program's: of random files, and of gold data."""

import json
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import storymill
from program import SHARED, run

ANSWERS = """TRUE|FALSE|<answer>TRUE</answer>|<answer> False </answer> true|True or false? True.
not true|It is NOT TRUE.|SKIPPED| EMPTY_RESPONSE |PROHIBITED_CONTENT|no idea||<answer>open
<answer>hm</answer> false|<answer>Jay is rich: false</answer>|Jay is true.|\x1ftrue\x1f""".split(
    "|"
)
CLAIMS = ["Jay is rich.", "It is true that Jay is rich.", "", "  Jay is TRUE. ", "İs it false?"]
GOLD = SHARED / "golden"


def claims(draw: random.Random) -> List[Dict[str, Any]]:
    rows = []
    for _ in range(60):
        row = {
            "book_title": draw.choice(["Emma", "Éa", "emma"]),
            "index": draw.randint(-1, 6),
            "claim": draw.choice(CLAIMS),
            "type": draw.choice([True, False, "True", "FALSE"]),
            "other": 1,
        }
        for name in ("response-a", "response-b", "response-c"):
            if draw.random() < 0.9:
                row[name] = draw.choice([None, *ANSWERS, *ANSWERS])
        rows.append(row)
    return rows


def labels(draw: random.Random) -> Dict[str, Any]:
    def item() -> Dict[str, Any]:
        found = {
            "label": draw.randint(0, 1),
            "difficulty": draw.choice(["", "easy", "hard"]),
            "summary": ["a"] * draw.randint(0, 4),
            "errors": [draw.randint(0, 1) for _ in range(draw.randint(0, 4))],
            "story-id": draw.randint(0, 9),
            "explanations": ["why"] * draw.randint(0, 2),
            "claims": ["c"] * draw.randint(0, 3),
            "split": draw.choice(["val", "test", "tést"]),
            "model": draw.choice(["m", "n"]),
        }
        optional = [
            name for name in ("difficulty", "explanations", "claims") if draw.random() < 0.2
        ]
        return {name: found[name] for name in found if name not in optional}

    return {f"s{at}": item() for at in range(40)}


def predictions(draw: random.Random) -> Dict[str, Any]:
    parts = {name: [draw.randint(0, 1)] for name in ("claim_labels", "sentence_labels")}
    said = {}
    for at in range(45):
        one: Dict[str, Any] = {name: value for name, value in parts.items() if draw.random() < 0.3}
        one["label"] = draw.randint(0, 1)
        if draw.random() < 0.9:
            said[f"s{at}"] = one
    return said


class Benchmarks(unittest.TestCase):
    maxDiff = 2000

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name: str, value: Any) -> str:
        path = self.folder / name
        path.write_text(json.dumps(value), encoding="utf-8")
        return str(path)

    def claims(self, path: str, *common: str) -> Any:
        found = storymill.score_claims(path, common)
        named = [part for name in common for part in ("--common", name)]
        told = json.loads(run("score", "claims", path, *named, "--format", "json"))
        self.assertEqual(found, told)
        return found

    def faithfulness(self, path: str, *judges: str) -> Any:
        found = storymill.score_faithfulness(path, judges)
        told = json.loads(run("score", "faithfulness", path, *judges, "--format", "json"))
        # The program says where in the file a contradiction stands, and compares stories, votes and kinds too; this
        # reader knows objects without places, and what the released file has.
        known = {
            "labels_without_sentences",
            "sentences_without_labels",
            "summary_and_errors_length_differ",
            "label_0_but_no_zero_sentence",
            "label_1_but_zero_sentence",
            "explanations_without_zero",
            "explanations_and_zeros_differ",
        }
        all_of_them = told["dataset"]["defects"]
        told["dataset"]["defects"] = [one for one in all_of_them if one["fault"] in known]
        for defect in told["dataset"]["defects"]:
            del defect["line"], defect["column"]
        self.assertEqual(found, told)
        return found

    def test_random_claims(self) -> None:
        for seed in range(10):
            path = self.write("claims.json", claims(random.Random(seed)))
            found = self.claims(path, "response-a", "response-b")
            self.assertGreater(found["systems"][0]["all"]["true_claims"]["total"], 10)

    def test_random_judges(self) -> None:
        for seed in range(10):
            draw = random.Random(seed)
            path = self.write("labels.json", labels(draw))
            by_label, by_probs = predictions(draw), predictions(draw)
            for said in by_probs.values():
                said["probs"] = draw.choice([draw.random(), draw.randint(0, 149) / 149, 0, 1])
                del said["label"]
            judges = [self.write("a.json", by_label), self.write("b.json", by_probs)]
            found = self.faithfulness(path, *judges)
            self.assertIsNotNone(found["evaluators"][1]["threshold"])

    def test_gold_files(self) -> None:
        if not GOLD.is_dir():
            print("skip: ../shared/golden is not here")
            return
        found = self.claims(str(GOLD / "nocha" / "data_sample_shared.json"))
        self.assertEqual(len(found["systems"]), 18)
        judges = sorted(map(str, (GOLD / "storysumm" / "predicted_labels").glob("*.json")))
        found = self.faithfulness(str(GOLD / "storysumm" / "labels.json"), *judges)
        self.assertEqual(len(found["evaluators"]), len(judges))

    def test_what_is_refused(self) -> None:
        def refused(what: Any, says: str) -> None:
            with self.assertRaises(storymill.StorymillError) as caught:
                what()
            self.assertIn(says, str(caught.exception))

        good = claims(random.Random(1))
        for change, says in (
            ({"type": "maybe"}, "row 3: `type` is true or false, not maybe"),
            ({"index": "1"}, "row 3: no `index`"),
            ({"index": True}, "row 3: no `index`"),
            ({"claim": None}, "row 3: no `claim`"),
            ({"response-a": 1}, "row 3: `response-a` is a text"),
        ):
            path = self.write("bad.json", [*good[:2], {**good[2], **change}])
            refused(lambda path=path: storymill.score_claims(path), says)
        path = self.write("good.json", good)
        refused(lambda: storymill.score_claims(path, ["response-x"]), "no row has a field")
        refused(lambda: storymill.score_claims(self.write("none.json", [])), "no rows")
        refused(lambda: storymill.score_claims(self.write("o.json", {})), "is a list")
        (self.folder / "twice.json").write_text('[{"response-a": "x", "response-a": "y"}]')
        refused(lambda: storymill.score_claims(self.folder / "twice.json"), "stands twice")
        draw = random.Random(2)
        items, said = labels(draw), predictions(draw)
        own, judge = self.write("labels.json", items), self.write("judge.json", said)
        refused(lambda: storymill.score_faithfulness(own, [path]), "an object for each id")
        refused(lambda: storymill.score_faithfulness(judge, [judge]), "no `summary`")
        bad = self.write("bad.json", {**items, "s1": {**items["s1"], "label": 2}})
        refused(
            lambda: storymill.score_faithfulness(bad, [judge]), "`s1`: a label is 0 or 1, not 2"
        )
        (self.folder / "nan.json").write_text('{"s1": {"probs": NaN}}')
        nan = self.folder / "nan.json"
        refused(lambda: storymill.score_faithfulness(own, [nan]), "nan.json: no JSON: `NaN`")
        null = self.write("null.json", {"s1": {"probs": None}})
        refused(lambda: storymill.score_faithfulness(own, [null]), "null.json: `s1`: `probs`")


if __name__ == "__main__":
    unittest.main()
