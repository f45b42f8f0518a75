"""What docs/python.md shows runs as it stands."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

from program import FOLDER, TOP


class Docs(unittest.TestCase):
    def test_python(self) -> None:
        page = (TOP / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(blocks), 7)
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "out").mkdir()
            (Path(folder) / "out" / "quickstart").symlink_to(FOLDER.resolve())
            os.chdir(folder)
            told, names = io.StringIO(), {}
            with contextlib.redirect_stdout(told):
                for block in blocks:
                    exec(compile(block, "docs/python.md", "exec"), names)
            os.chdir(before)
        self.assertIn(
            "out/quickstart: no config 'evaluation' (there are books, books-text", told.getvalue()
        )


if __name__ == "__main__":
    unittest.main()
