"""Questions of every form, in one shape: what is shown, what is right, how far back it lies."""

import json
import tempfile
import unittest
from pathlib import Path

import storymill
from program import FOLDER, TOP, run
from storymill import curve

from sets import claim_set


class Questions(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def test_books(self) -> None:
        data = storymill.Dataset(FOLDER)
        for config, forms in (
            ("read-along", {"options"}),
            ("reconstruction", {"free-text"}),
            ("eval", {"options", "free-text"}),
        ):
            self.assertEqual(set(data.forms(config)), forms)
            rows = {row["question_id"]: row for row in data.rows(config)}
            asked = list(data.questions(config))
            self.assertEqual([one.id for one in asked], list(rows))
            for one in asked:
                row = rows[one.id]
                self.assertEqual(one.context, data.context(row, config))
                self.assertEqual(one.length["words"], row["context_words"])
                self.assertEqual(one.demand == {}, row["evidence"] == [])
                self.assertEqual(one.made_by, row.get("made_by", ""))
                self.assertIn(one.form, forms)
                self.assertNotEqual(one.author, one.of)
                if one.form == "options":
                    self.assertEqual(one.references, [row["options"][row["answer"]]])
                    # What is shown is what the program prints with --ask.
                    asked = data.context(row, config, ask=True)
                    self.assertIn(one.context, asked)
                    for line in storymill.questions.numbered(one).splitlines():
                        self.assertIn(line.strip(), asked)
        self.assertEqual({one.context for one in data.questions("eval", context="none")}, {""})
        self.assertEqual(data.forms("scenes"), [])
        for what in (
            lambda: list(data.questions("scenes")),
            lambda: list(data.questions("eval", context="some")),
        ):
            self.assertRaises(storymill.DatasetError, what)

    def test_long_contexts(self) -> None:
        out = str(self.folder / "lveval")
        workflow = str(TOP / "workflows" / "lveval.toml")
        run("build", workflow, "--out", out, "--store", str(self.folder / "store"))
        data = storymill.Dataset(out)
        self.assertEqual(data.forms("contexts"), ["long-context"])
        with self.assertRaisesRegex(storymill.DatasetError, "export"):
            list(data.questions("contexts"))
        written = self.folder / "written"
        run("export", out, "--config", "contexts", "--level", "16k", "--out", str(written))
        asked = list(storymill.long_contexts(written))
        rows = {row["context_id"]: row for row in data.rows("contexts") if row["level"] == 16_000}
        self.assertEqual({one.id for one in asked}, set(rows))
        for one in asked:
            row = rows[one.id]
            self.assertEqual((len(one.context), one.references), (row["symbols"], row["answers"]))
            self.assertIn(row["question"], one.question)
            first = min(place["start_symbols"] for place in row["evidence"])
            self.assertEqual(one.demand["symbols"], row["symbols"] - first)
        bad = self.folder / "bad.jsonl"
        bad.write_text('{"_id": "x"}\n')
        for path, says in ((bad, "line 1 has no `input`"), (self.folder / "no", "export")):
            with self.assertRaisesRegex(storymill.DatasetError, says):
                list(storymill.long_contexts(path))

    def test_verdicts(self) -> None:
        pairs = claim_set(self.folder / "claims")
        asked = list(storymill.verdicts(self.folder / "claims"))
        self.assertEqual(len(asked), 2 * len(pairs))
        for one in asked:
            self.assertEqual(one.options[one.right or 0], one.references[0])
            self.assertIn(one.claim, one.question)
            self.assertGreater(len(one.context), 1000)
            self.assertGreater(one.demand["symbols"], 0)
        self.assertEqual({one.pair for one in asked}, {pair["id"] for pair in pairs})
        (self.folder / "claims" / "pairs.jsonl").write_text(json.dumps({"id": "x"}))
        with self.assertRaisesRegex(storymill.DatasetError, "line 1 is not a pair"):
            list(storymill.verdicts(self.folder / "claims"))
        with self.assertRaisesRegex(storymill.DatasetError, "no such file"):
            list(storymill.verdicts(self.folder))


class Curve(unittest.TestCase):
    def test_bins_double(self) -> None:
        names = [curve.name(curve.low(n)) for n in (0, 1, 2, 3, 1023, 1024, 2047, 2048, 70_000)]
        self.assertEqual(
            names, ["0-2", "0-2", "2-4", "2-4", "512-1k", "1k-2k", "1k-2k", "2k-4k", "64k-128k"]
        )
        rows = [(n, f"a{n % 7}", float(n % 2)) for n in range(1, 200)]
        bins = curve.curve(rows)
        self.assertEqual(sum(one.rows for one in bins), len(rows))
        for one in bins:
            inside = [score for n, _, score in rows if one.low <= n < one.high]
            self.assertEqual((one.rows, one.mean), (len(inside), sum(inside) / len(inside)))
        self.assertIsNone(bins[0].interval)
        low, high = bins[-1].interval or (2, 2)
        self.assertTrue(0 <= low <= bins[-1].mean <= high <= 1)


if __name__ == "__main__":
    unittest.main()
