"""The examples give the contexts that the package gives."""

import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path

import storymill

from program import FOLDER

EXAMPLES = Path(__file__).parent.parent / "examples"


class Examples(unittest.TestCase):
    def check(self, name: str) -> None:
        path = EXAMPLES / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        expected = {
            row["question_id"]: row["context"] for row in storymill.materialize(FOLDER, "eval")
        }
        self.assertEqual(dict(example.contexts(str(FOLDER))), expected)
        ran = subprocess.run([sys.executable, path, FOLDER], check=True, capture_output=True)
        self.assertEqual(len(ran.stdout.decode().splitlines()), len(expected))

    def test_datasets(self) -> None:
        self.check("with_datasets")

    def test_polars(self) -> None:
        self.check("with_polars")

    def test_duckdb(self) -> None:
        self.check("with_duckdb")


if __name__ == "__main__":
    unittest.main()
