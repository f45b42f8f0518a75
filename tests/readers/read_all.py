"""Reads a published folder with four libraries and compares what they see.

    read_all.py FOLDER

Hugging Face `datasets` reads it by the front matter of its README, offline; pyarrow, Polars and
DuckDB read the Parquet files. Counts must agree with one another and with manifest.json, lists
must arrive as lists, and the canary must stand in every row of every evaluation table. One line
for each reader; the exit status is 1 if anything disagrees.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

LISTS = {
    "books": {"authors": "records", "chapters": "records", "flags": "texts"},
    "summaries": {"answer_ids": "texts"},
    "distortions": {"edits": "records", "answer_ids": "texts"},
    "read-along": {"options": "texts", "evidence": "records"},
    "reconstruction": {"evidence": "records"},
    "eval": {"options": "texts", "evidence": "records"},
}
EVALUATION = {"read-along", "reconstruction", "eval", "eval-small"}


def main(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    expected = Counter()
    for file in manifest["files"]:
        expected[file["config"], file["split"]] += file["rows"]
    faults = []
    for reader in (huggingface, arrow, polars, duckdb):
        name, found, wrong = reader(folder, expected, manifest["canary"])
        if found != expected:
            missing = {key: (expected[key], found[key]) for key in expected | found}
            pairs = {key: pair for key, pair in missing.items() if pair[0] != pair[1]}
            wrong.append(f"rows (listed, found): {pairs}")
        print(f"{name}: {sum(found.values())} rows, {len(found)} tables", *wrong, sep="; ")
        faults += wrong
    return 1 if faults else 0


def huggingface(folder, expected, canary):
    import datasets

    datasets.disable_progress_bars()
    found, wrong = Counter(), []
    with tempfile.TemporaryDirectory() as cache:
        # It cannot load a table without rows, so the README lists none.
        for config in dict.fromkeys(config for (config, _), rows in expected.items() if rows):
            loaded = datasets.load_dataset(str(folder), config, cache_dir=cache)
            for split, table in loaded.items():
                found[config, split] = table.num_rows
                for column, kind in LISTS.get(config, {}).items():
                    feature = table.features[column]
                    inner = feature.feature if isinstance(feature, datasets.List) else None
                    seen = "records" if isinstance(inner, dict) else "texts"
                    if inner is None or seen != kind:
                        wrong.append(f"{config}.{column} is {feature}")
                if config in EVALUATION and set(table["canary"]) - {canary}:
                    wrong.append(f"{config}/{split} lacks the canary")
                if table.num_rows:
                    wrong += [f"{config}.{c} has no value" for c, v in table[0].items() if v is None]
    return f"datasets {datasets.__version__}", found, wrong


def arrow(folder, expected, canary):
    import pyarrow
    import pyarrow.parquet as parquet
    import pyarrow.types as types

    found, wrong = Counter(), []
    for config, split in expected:
        for path in sorted((folder / config).glob(f"{split}-*.parquet")):
            table = parquet.read_table(path)
            found[config, split] += table.num_rows
            metadata = table.schema.metadata
            if metadata[b"storymill.canary"].decode() != canary:
                wrong.append(f"{path.name} has another canary in its metadata")
            if "features" not in json.loads(metadata[b"huggingface"])["info"]:
                wrong.append(f"{path.name} has no features")
            for column, kind in LISTS.get(config, {}).items():
                of = table.schema.field(column).type
                inner = of.value_type if types.is_list(of) else None
                test = types.is_struct if kind == "records" else types.is_string
                if inner is None or not test(inner):
                    wrong.append(f"{config}.{column} is {of}")
            if any(types.is_floating(field.type) for field in table.schema):
                wrong.append(f"{config} has floats")
            if config in EVALUATION and set(table["canary"].to_pylist()) - {canary}:
                wrong.append(f"{config}/{split} lacks the canary")
    for book in rows(folder, "books"):
        if len(texts(folder)[book["book_id"]]) != book["symbols"]:
            wrong.append("symbols are not what Python counts")
    wrong += rows_are_short(folder) + scenes_are_the_book(folder) + contexts_are_scenes(folder)
    return f"pyarrow {pyarrow.__version__}", found, wrong


def rows(folder, config):
    import pyarrow.dataset as dataset

    there = (folder / config).is_dir()
    return dataset.dataset(folder / config, format="parquet").to_table().to_pylist() if there else []


def texts(folder):
    """The texts of books, put together from their pieces."""
    text = {}
    for piece in rows(folder, "books-text"):
        text[piece["book_id"]] = text.get(piece["book_id"], "") + piece["text"]
    return text


def rows_are_short(folder):
    """No row of a book is longer than the viewer of the Hub shows."""
    long = [
        f"a row of {config} has {size} bytes"
        for config in ("books", "books-text")
        for row in rows(folder, config)
        if (size := len(json.dumps(row, ensure_ascii=False).encode())) > 2_000_000
    ]
    return long[:1]


def scenes_are_the_book(folder):
    """The first book's text, cut by the spans of its scenes, is their texts."""
    import pyarrow.dataset as dataset

    if not ((folder / "books-text").is_dir() and (folder / "scenes").is_dir()):
        return []
    text = texts(folder)
    if not text:
        return []
    book = next(iter(text))
    own = dataset.field("book_id") == book
    scenes = dataset.dataset(folder / "scenes", format="parquet").to_table(filter=own).to_pylist()
    cut = [text[book][scene["start_symbols"] : scene["end_symbols"]] for scene in scenes]
    same = cut == [scene["text"] for scene in scenes]
    return [] if same else ["spans of scenes do not cut their text out of the book"]


def contexts_are_scenes(folder):
    """The context of a question, cut in Python, is the scenes up to the one it is asked after."""
    if not all((folder / config).is_dir() for config in ("books-text", "scenes", "read-along")):
        return []
    text = texts(folder)
    scenes = {(scene["book_id"], scene["scene"]): scene["text"] for scene in rows(folder, "scenes")}
    wrong = 0
    for question in rows(folder, "read-along"):
        book = question["book_id"]
        context = text[book][: question["context_symbols"]]
        read = "".join(scenes[book, at] for at in range(question["asked_at_scene"] + 1))
        wrong += context != read
    return [f"{wrong} contexts are not the scenes that were read"] if wrong else []


def polars(folder, expected, canary):
    import polars

    found, wrong = Counter(), []
    for config, split in expected:
        table = polars.read_parquet(folder / config / f"{split}-*.parquet")
        found[config, split] += table.height
        for column, kind in LISTS.get(config, {}).items():
            of = table.schema[column]
            inner = polars.Struct if kind == "records" else polars.String
            if not (isinstance(of, polars.List) and of.inner == inner):
                wrong.append(f"{config}.{column} is {of}")
        if config in EVALUATION and set(table["canary"].to_list()) - {canary}:
            wrong.append(f"{config}/{split} lacks the canary")
    return f"polars {polars.__version__}", found, wrong


def duckdb(folder, expected, canary):
    import duckdb

    def count(query):
        return duckdb.sql(query).fetchall()[0][0]

    found, wrong = Counter(), []
    for config, split in expected:
        source = f"read_parquet('{folder}/{config}/{split}-*.parquet')"
        found[config, split] += count(f"select count(*) from {source}")
        described = duckdb.sql(f"describe select * from {source}").fetchall()
        types = {row[0]: row[1] for row in described}
        for column, kind in LISTS.get(config, {}).items():
            of = types[column]
            if not of.endswith("[]") or of.startswith("STRUCT") != (kind == "records"):
                wrong.append(f"{config}.{column} is {of}")
        if config in EVALUATION and count(f"select count(*) from {source} where canary <> '{canary}'"):
            wrong.append(f"{config}/{split} lacks the canary")
    return f"duckdb {duckdb.__version__}", found, wrong


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_all.py FOLDER")
    sys.exit(main(Path(sys.argv[1]).resolve()))
