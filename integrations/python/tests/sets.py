"""Small sets that the tests make: claim pairs of two books, a folder of results."""

import json
from pathlib import Path
from typing import Any, Dict, List

import pyarrow
import pyarrow.parquet as parquet

import storymill
from program import FOLDER


def claim_set(folder: Path) -> List[Dict[str, Any]]:
    """A set of claim pairs about two books of the quickstart."""
    (folder / "books").mkdir(parents=True)
    pairs = []
    texts: Dict[str, str] = {}
    for piece in storymill.Dataset(FOLDER).rows("books-text"):
        texts[piece["book_id"]] = texts.get(piece["book_id"], "") + piece["text"]
    for book, text in list(texts.items())[:2]:
        (folder / "books" / f"{book}.txt").write_text(text, encoding="utf-8")
        for number in range(3):
            one = {
                "id": f"{book}/{number:04}",
                "book": book,
                "true_claim": f"Something is true of chapter {number}.",
                "false_claim": f"Nothing is false of chapter {number}.",
                "true_evidence": [{"start": 10 + number, "end": 90}],
                "false_evidence": [{"start": 500, "end": 900}],
            }
            pairs.append(one)
    lines = "".join(json.dumps(pair) + "\n" for pair in pairs)
    (folder / "pairs.jsonl").write_text(lines, encoding="utf-8")
    return pairs


def publish(folder: Path, tables: Dict[str, List[Dict[str, Any]]]) -> Path:
    """A folder with these tables, as far as this package reads it."""
    files = []
    for config, rows in tables.items():
        path = f"{config}/test-00000-of-00001.parquet"
        (folder / config).mkdir(parents=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / path)
        files.append({"path": path, "config": config, "split": "test", "rows": len(rows)})
    manifest = {
        "format": "storymill-dataset/3",
        "name": "results",
        "version": "0.1.0",
        "canary": "c",
        "files": files,
        "lock": {"path": "dataset.lock"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
