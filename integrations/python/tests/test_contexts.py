"""Every context and every prompt of the quickstart is what the program prints."""

import json
import random
import shutil
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow
import pyarrow.parquet as parquet
import storymill
from storymill import jsonl

from program import FOLDER, TOP, run

OTHER_NAMES = """
[stage.casts.cast]
from   = "books"
tagger = "perceptron"

[stage.names.substitutes]
from  = "casts"
books = "books"

[stage.other-scenes.substitute-scenes]
from        = "scenes"
substitutes = "names"

[stage.other-questions.substitute-questions]
from        = "questions"
scenes      = "other-scenes"
substitutes = "names"

[dataset.other-scenes]
from = "other-scenes"

[dataset.other-questions]
from = "other-questions"
"""
CONFIGS = ["read-along", "reconstruction", "eval", "eval-small"]


class Contexts(unittest.TestCase):
    def setUp(self) -> None:
        self.data = storymill.Dataset(FOLDER)

    def test_every_question(self) -> None:
        def told(row):
            asked = ["inspect", str(FOLDER), row["question_id"], "--config", row["config"]]
            return row, run(*asked), run(*asked, "--ask")

        rows = [
            {**row, "config": config}
            for config in CONFIGS
            for row in self.data.materialize(config, ask=True)
        ]
        self.assertGreater(len(rows), 150)
        with ThreadPoolExecutor(2) as pool:
            for row, context, prompt in pool.map(told, rows):
                name, config = row["question_id"], row["config"]
                self.assertEqual(row["context"], context, name)
                self.assertEqual(row["prompt"], prompt, name)
                self.assertEqual(self.data.context(name, config), context, name)
        self.assertEqual(storymill.context(FOLDER, name, config, ask=True), prompt)

    def test_rows_are_the_files(self) -> None:
        for config in self.data.configs:
            whole = self.data.load(config)
            self.assertEqual(whole.to_pylist(), list(self.data.rows(config)))
            parts = [self.data.load(config, split) for split in self.data.splits(config)]
            self.assertEqual(whole, pyarrow.concat_tables(parts))
        self.assertEqual(storymill.load(FOLDER, "eval", "test"), self.data.load("eval", "test"))

    def test_a_row_is_as_good_as_its_id(self) -> None:
        row = next(storymill.materialize(FOLDER, "eval", "test"))
        self.assertEqual(self.data.context(row), row["context"])
        self.assertEqual(self.data.context(row, "eval"), self.data.context(row["question_id"], "eval"))

    def test_lines(self) -> None:
        with tempfile.TemporaryDirectory() as holder:
            path = Path(holder) / "eval.jsonl"
            self.assertEqual(jsonl.write(FOLDER, "eval", path, ask=True), 120)
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            self.assertEqual(lines, list(self.data.materialize("eval", ask=True)))
            # The program writes the same rows.
            run("export", str(FOLDER), "--config", "eval", "--ask", "--out", holder + "/own")
            own = (Path(holder) / "own" / "eval.jsonl").read_text("utf-8").splitlines()
            self.assertEqual([json.loads(line) for line in own], lines)
            (Path(holder) / "own" / "eval.jsonl").unlink()
            (Path(holder) / "own").rmdir()
            self.assertEqual(jsonl.write(FOLDER, "eval", path, limit=3), 3)
            self.assertEqual(path.read_text("utf-8").count("\n"), 3)
            before = path.read_bytes()
            # Books have no contexts: nothing is written, and what was there stays.
            with self.assertRaises(storymill.DatasetError):
                jsonl.write(FOLDER, "books", path)
            self.assertEqual([one.name for one in Path(holder).iterdir()], ["eval.jsonl"])
            self.assertEqual(path.read_bytes(), before)

    def test_audit(self) -> None:
        found = self.data.audit("read-along", without_book=True)
        told = run("audit", str(FOLDER), "--config", "read-along", "--without-book", "--format", "json")
        self.assertEqual(found, json.loads(told))
        self.assertGreater(len(found["sets"]), 2)

    def test_groups_of_rows(self) -> None:
        """A book that is cut in two by groups of rows, and one that comes in the second file."""
        with tempfile.TemporaryDirectory() as holder:
            folder = Path(holder) / "data"
            shutil.copytree(FOLDER, folder)
            manifest = json.loads((folder / "manifest.json").read_text())
            files = [file for file in manifest["files"] if file["config"] != "books-text"]
            for file in files:
                if file["config"] == "scenes":
                    table = parquet.read_table(folder / file["path"])
                    parquet.write_table(table, folder / file["path"], row_group_size=7)
            manifest["files"] = files
            (folder / "manifest.json").write_text(json.dumps(manifest))
            own = {row["question_id"]: row["context"] for row in self.data.materialize("eval")}
            rows = list(storymill.materialize(folder, "eval"))
            draw = random.Random(1)
            jumped = storymill.Dataset(folder)
            for row in draw.sample(rows, len(rows)):
                name = row["question_id"]
                self.assertEqual(row["context"], own[name])
                self.assertEqual(jumped.context(name, "eval"), own[name])

    def test_other_names(self) -> None:
        """The same id stands for two texts: each config is asked about its own."""
        with tempfile.TemporaryDirectory() as holder:
            work = Path(holder)
            shutil.copytree(TOP / "data" / "books", work / "books")
            workflow = (TOP / "workflows" / "by-rule.toml").read_text(encoding="utf-8")
            workflow = workflow.replace("../data/books", "books") + OTHER_NAMES
            (work / "my.toml").write_text(workflow, encoding="utf-8")
            folder = str(work / "out")
            run("build", str(work / "my.toml"), "--out", folder, "--store", str(work / "store"))
            data = storymill.Dataset(folder)
            moved = 0
            for row in data.materialize("other-questions"):
                name = row["question_id"]
                asked = ["inspect", folder, name, "--config"]
                self.assertEqual(row["context"], run(*asked, "other-questions"), name)
                self.assertEqual(data.context(row, "other-questions"), row["context"])
                own = data.context(name, "read-along")
                self.assertEqual(own, run(*asked, "read-along"), name)
                moved += own != row["context"]
                if len(own) != len(row["context"]):
                    with self.assertRaisesRegex(storymill.DatasetError, "with another text"):
                        data.context(name)
            self.assertGreater(moved, 20)


if __name__ == "__main__":
    unittest.main()
