"""Results: every question stays in the denominator, nothing is averaged over models, settings or forms."""

import random
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import storymill
from program import FOLDER, run
from sets import publish
from storymill.grades import STATUSES


def grades() -> List[Dict[str, Any]]:
    draw = random.Random(3)
    rows: List[Dict[str, Any]] = []
    for model in ("large", "small"):
        for setting in ("full", "none"):
            for at in range(120):
                form = ("options", "free-text", "verdict")[at % 3]
                status = "answered" if draw.random() < 0.8 else draw.choice(STATUSES[1:])
                score = (
                    draw.randrange(1_000_001) if form == "free-text" else draw.choice((0, 10**6))
                )
                rows.append(
                    {
                        "question_id": f"q{at}",
                        "config": "eval",
                        "of": f"b{at % 10}",
                        "author": f"a{at % 5}",
                        "model": model,
                        "setting": setting,
                        "form": form,
                        "kind": "claim" if form == "verdict" else form,
                        "status": status,
                        "score_ppm": score if status == "answered" else 0,
                        "f1_ppm": score // 2
                        if form == "free-text" and status == "answered"
                        else -1,
                        "none_of_the_above": int(at % 12 < 3),
                        "pair": f"p{at % 60}" if form == "verdict" else "",
                        "demand_words": draw.randrange(10, 9000),
                        "demand_tokens_o200k_base": draw.randrange(10, 9000),
                        "context_words": 9000,
                    }
                )
    return rows


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.rows = grades()
        answers = [{"question_id": "q0", "said": "B"}]
        self.folder = publish(Path(holder.name), {"grades": self.rows, "answers": answers})
        self.found = storymill.results(self.folder)

    def own(self, **only: str) -> List[Dict[str, Any]]:
        return [row for row in self.rows if all(row[key] == only[key] for key in only)]

    def test_the_denominator_is_fixed(self) -> None:
        only = {"model": "large", "setting": "full", "form": "options"}
        rows = self.own(**only)
        share = self.found.accuracy(**only)
        self.assertEqual((share.rows, share.authors), (40, len({row["author"] for row in rows})))
        self.assertAlmostEqual(share.mean, sum(row["score_ppm"] for row in rows) / 40 / 1e6)
        low, high = share.interval
        self.assertTrue(low < share.mean < high)
        told = self.found.statuses(**only)
        self.assertEqual((sum(told.values()), list(told)), (40, list(STATUSES)))
        self.assertGreater(told["refused"] + told["cut"] + told["failed"], 0)

    def test_measures(self) -> None:
        only = {"model": "small", "setting": "full", "form": "free-text"}
        first, other = self.found.accuracy(**only), self.found.accuracy("f1", **only)
        self.assertAlmostEqual(other.mean, first.mean / 2, places=5)
        self.assertEqual(other.rows, first.rows)
        with self.assertRaisesRegex(storymill.DatasetError, "f1 is not measured"):
            self.found.accuracy("f1", **{**only, "form": "options"})

    def test_nothing_is_mixed(self) -> None:
        for only, key in (
            ({}, "model"),
            ({"model": "large"}, "setting"),
            ({"model": "large", "setting": "full"}, "form"),
        ):
            for what in (self.found.accuracy, self.found.statuses, self.found.curve):
                with self.assertRaisesRegex(storymill.DatasetError, f"several values of {key}"):
                    what(**only)
        with self.assertRaisesRegex(storymill.DatasetError, "no model 'huge' .there are large"):
            self.found.accuracy(model="huge")
        with self.assertRaisesRegex(storymill.DatasetError, "no column 'colour'"):
            self.found.accuracy(colour="red")

    def test_curve(self) -> None:
        only = {"model": "small", "setting": "none", "form": "free-text"}
        for by, column in (
            ("tokens", "demand_tokens_o200k_base"),
            ("words", "demand_words"),
            ("context_words", "context_words"),
        ):
            bins = self.found.curve(by=by, **only)
            rows = [row for row in self.own(**only) if not row["none_of_the_above"]]
            self.assertEqual(sum(one.rows for one in bins), len(rows))
            for one in bins:
                inside = [row["score_ppm"] for row in rows if one.low <= row[column] < one.high]
                self.assertAlmostEqual(one.mean, sum(inside) / len(inside) / 1e6)
        every = self.found.curve(by="words", none_of_the_above=True, **only)
        self.assertEqual(sum(one.rows for one in every), len(self.own(**only)))
        with self.assertRaisesRegex(storymill.DatasetError, "no length 'miles'"):
            self.found.curve(by="miles", **only)

    def test_pairs(self) -> None:
        only = {"model": "large", "setting": "full"}
        pairs: Dict[str, List[int]] = {}
        for row in self.own(**only, form="verdict"):
            pairs.setdefault(row["author"] + row["pair"], []).append(row["score_ppm"])
        whole = [min(scores) == 10**6 for scores in pairs.values() if len(scores) == 2]
        share = self.found.pairs(**only)
        self.assertEqual(share.rows, len(whole))

    def test_the_rest(self) -> None:
        self.assertEqual(self.found.values("setting"), ["full", "none"])
        self.assertEqual(self.found.answers.num_rows, 1)
        self.assertEqual(self.found.table.num_rows, len(self.rows))
        empty = publish(self.folder / "other", {"scenes": [{"scene": 1}]})
        with self.assertRaisesRegex(storymill.DatasetError, "not a folder of results"):
            storymill.results(empty)


class Program(unittest.TestCase):
    """What the program grades is what this package makes of the same answers."""

    def test_baselines(self) -> None:
        with tempfile.TemporaryDirectory() as holder:
            out, store = str(Path(holder) / "results"), str(Path(holder) / "store")
            try:
                run("evaluate", str(FOLDER), "--baselines", "--out", out, "--store", store)
            except RuntimeError as error:
                if "unrecognized subcommand" not in str(error):
                    raise
                print("skip: results of the program: it has no `evaluate` yet")
                return
            found = storymill.results(out)
            data = storymill.Dataset(FOLDER)
            (config,) = found.values("config")
            rows = list(data.rows(config))
            said = {
                row["question_id"]: 0 if row["options"] else row["question"].split("\n\n")[-1]
                for row in rows
            }
            tables = data.score(config, said)
            only = {"setting": "none", "config": config}
            first = found.accuracy(model="baseline:first", form="options", **only)
            self.assertEqual(first.mean, tables["options"]["columns"][0]["mean"])
            self.assertEqual(first.rows, len(tables["options"]["rows"]))
            copied = {column["name"]: column["mean"] for column in tables["free-text"]["columns"]}
            for measure in ("score", "rouge_l", "copy_rouge_l"):
                own = found.accuracy(measure, model="baseline:copy", form="free-text", **only)
                self.assertAlmostEqual(own.mean, copied["rougeL"], places=5)


if __name__ == "__main__":
    unittest.main()
