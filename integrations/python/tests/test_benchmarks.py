"""Files of claims and of judges reach the program's scores, and what it refuses comes back with its place."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

import storymill
from program import SHARED, run

GOLD = SHARED / "golden"


def claims() -> List[Dict[str, Any]]:
    answers = ["TRUE", "<answer>FALSE</answer>", "no idea", "SKIPPED", None]
    return [
        {
            "book_title": "Emma",
            "index": at // 2,
            "claim": "Jay is rich.",
            "type": at % 2 == 0,
            "response-a": answers[at % len(answers)],
            "response-b": "TRUE" if at % 2 == 0 else "FALSE",
        }
        for at in range(20)
    ]


def labels() -> Dict[str, Any]:
    return {
        f"s{at}": {
            "label": at % 2,
            "difficulty": "" if at % 2 else "easy",
            "summary": ["a", "b"],
            "errors": [],
            "story-id": at // 3,
            "explanations": [],
            "split": "val" if at < 6 else "test",
            "model": "m",
        }
        for at in range(12)
    }


class Benchmarks(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name: str, what: Any) -> str:
        path = self.folder / name
        path.write_text(json.dumps(what), encoding="utf-8")
        return str(path)

    def test_claims(self) -> None:
        path = self.write("claims.json", claims())
        found = storymill.score_claims(path, ["response-b"])
        told = run("score", "claims", path, "--common", "response-b", "--format", "json")
        self.assertEqual(found, json.loads(told))
        self.assertEqual(found["systems"][1]["all"]["pairs"], {"correct": 10, "total": 10})

    def test_judges(self) -> None:
        path = self.write("labels.json", labels())
        by_label = self.write("a.json", {name: {"label": 1} for name in labels()})
        by_probs = self.write("b.json", {f"s{at}": {"probs": at % 2 / 2} for at in range(12)})
        found = storymill.score_faithfulness(path, [by_label, by_probs])
        told = run("score", "faithfulness", path, by_label, by_probs, "--format", "json")
        self.assertEqual(found, json.loads(told))
        self.assertEqual([one["name"] for one in found["evaluators"]], ["a", "b"])
        self.assertIsNotNone(found["evaluators"][1]["threshold"])

    def test_gold_files(self) -> None:
        if not GOLD.is_dir():
            print("skip: ../shared/golden is not here")
            return
        found = storymill.score_claims(GOLD / "nocha" / "data_sample_shared.json")
        self.assertEqual(len(found["systems"]), 18)
        judges = sorted((GOLD / "storysumm" / "predicted_labels").glob("*.json"))
        table = storymill.score_faithfulness(GOLD / "storysumm" / "labels.json", judges)
        self.assertEqual(len(table["evaluators"]), len(judges))

    def test_verdicts(self) -> None:
        for answer, verdict in (
            ("TRUE", "true"),
            ("It is NOT TRUE.", "false"),
            ("<answer>Jay is rich: false</answer>", "false"),
            ("no idea", "fail"),
            ("SKIPPED", None),
        ):
            self.assertEqual(storymill.scoring.verdict(answer, "Jay is rich."), verdict)

    def test_what_is_refused(self) -> None:
        def refused(what: Callable[[], Any], says: str) -> None:
            with self.assertRaises(storymill.StorymillError) as caught:
                what()
            self.assertIn(says, str(caught.exception))

        good = claims()
        for change, says in (
            ({"type": "maybe"}, "`type` is true or false, not"),
            ({"index": "1"}, "invalid type"),
            ({"claim": None}, "invalid type"),
        ):
            bad = self.write("bad.json", [*good[:2], {**good[2], **change}])
            refused(lambda: storymill.score_claims(bad), says)
        path = self.write("good.json", good)
        refused(lambda: storymill.score_claims(path, ["response-x"]), "no row has a field")
        refused(lambda: storymill.score_claims(self.write("none.json", [])), "no rows")
        own, judge = self.write("labels.json", labels()), self.write("judge.json", {"s1": {}})
        refused(lambda: storymill.score_faithfulness(own, [judge]), "judge: ")
        (self.folder / "nan.json").write_text('{"s1": {"probs": NaN}}')
        refused(lambda: storymill.score_faithfulness(own, [self.folder / "nan.json"]), "`NaN`")
        refused(lambda: storymill.score_claims(self.folder / "gone.json"), "gone.json: cannot be read")


if __name__ == "__main__":
    unittest.main()
