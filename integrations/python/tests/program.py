"""The program that the package is compared with, and a folder that it published.

STORYMILL_BIN      the program
STORYMILL_FOLDER   a published quickstart
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

BIN = os.environ["STORYMILL_BIN"]
FOLDER = Path(os.environ["STORYMILL_FOLDER"])
TOP = Path(__file__).resolve().parents[3]
"""The top folder of storymill's repository."""
SHARED = TOP / "../shared"
"""Gold data that is no part of the project, where it is there."""


def run(*args: str) -> str:
    """What the program prints; its bytes are UTF-8 and nothing else is done to them."""
    ran = subprocess.run([BIN, *args], check=False, capture_output=True)
    # 5: some rows have no score, which the result names.
    if ran.returncode not in (0, 5):
        raise RuntimeError(ran.stderr.decode("utf-8"))
    return ran.stdout.decode("utf-8")


def score(rows: Iterable[Mapping[str, Any]], *args: str, how: str = "answers") -> Any:
    """What the program scores these rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return json.loads(run("score", how, str(path), "--format", "json", *args))
