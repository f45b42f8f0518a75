"""Reads tables with very long rows with four libraries: whole, by column and in batches.

    long_rows.py FOLDER

`cargo xtask long-rows FOLDER` writes them: rows of 0.5, 2 and 12 MiB before, between and
behind short ones, as published tables (`ORDER/long`) and as contexts (`ORDER.parquet`). Every way
of reading must give every row in its order, with a text of the length that the row tells and the
same digest. One line for each library; the exit status is 1 if anything disagrees.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

BATCHES = (1, 2, 5)


class Table:
    """A file, the names of its columns, and what its rows must be."""

    def __init__(self, path):
        import duckdb

        # What is published lies in the folder of its version and configuration; a sheet lies alone.
        self.path, self.published = path, (path.parent.parent / "manifest.json").exists()
        self.at, self.long, self.length = ("at", "text", "symbols") if self.published else ("level", "context", "length")
        query = f"select {self.length}, {self.long} from '{path}' order by \"{self.at}\""
        rows = duckdb.sql(query).fetchall()
        assert rows and all(length == len(text) for length, text in rows), path
        self.rows, self.digest = len(rows), digest(text for _, text in rows)

    def wrong_rows(self, rows):
        """What is wrong with whole rows, each a dictionary."""
        if [row[self.at] for row in rows] != list(range(self.rows)):
            return f"{len(rows)} of {self.rows} rows, or in another order"
        if any(len(row[self.long]) != row[self.length] for row in rows):
            return "a text has another length"
        if self.published:
            for row in rows:
                even = row[self.at] % 2 == 0
                if "".join(row["parts"]) != (row[self.long] if even else ""):
                    return "the parts of a text are not the text"
                if row["note"] != (None if even else row[self.long]):
                    return "a text that may be null is another one"
        return self.wrong_texts(row[self.long] for row in rows)

    def wrong_texts(self, texts):
        """What is wrong with the long column alone."""
        texts = list(texts)
        if len(texts) != self.rows:
            return f"{len(texts)} of {self.rows} texts"
        return None if digest(texts) == self.digest else "other texts"


def digest(texts):
    sha = hashlib.sha256()
    for text in texts:
        sha.update(text.encode() + b"\0")
    return sha.hexdigest()


def arrow(table):
    import pyarrow.parquet as parquet

    yield "whole", table.wrong_rows(parquet.read_table(table.path).to_pylist())
    column = parquet.read_table(table.path, columns=[table.long])[table.long]
    yield "one column", table.wrong_texts(column.to_pylist())
    for size in BATCHES:
        batches = parquet.ParquetFile(table.path).iter_batches(size)
        yield f"batches of {size}", table.wrong_rows([row for batch in batches for row in batch.to_pylist()])
        batches = parquet.ParquetFile(table.path).iter_batches(size, columns=[table.long])
        yield f"one column in batches of {size}", table.wrong_texts(
            text for batch in batches for text in batch.column(0).to_pylist()
        )


def huggingface(table):
    import datasets

    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:

        def load(**more):
            options = {"data_files": str(table.path), "split": "train", "cache_dir": cache}
            return datasets.load_dataset("parquet", **options, **more)

        whole = load()
        yield "whole", table.wrong_rows(list(whole))
        yield "one column", table.wrong_texts(load(columns=[table.long])[table.long])
        for size in BATCHES:
            for name, source in (("", whole), ("streamed ", load(streaming=True))):
                rows = []
                for batch in source.iter(batch_size=size):
                    rows += [dict(zip(batch, values)) for values in zip(*batch.values())]
                yield f"{name}batches of {size}", table.wrong_rows(rows)
        if table.published:
            folder = str(table.path.parent.parent)
            loaded = datasets.load_dataset(folder, "long", split="train", cache_dir=cache)
            yield "by its front matter", table.wrong_rows(list(loaded))


def polars(table):
    import polars

    yield "whole", table.wrong_rows(polars.read_parquet(table.path).to_dicts())
    column = polars.read_parquet(table.path, columns=[table.long])[table.long]
    yield "one column", table.wrong_texts(column.to_list())
    for size in BATCHES:
        lazy = polars.scan_parquet(table.path)
        slices = (lazy.slice(at, size).collect() for at in range(0, table.rows, size))
        yield f"batches of {size}", table.wrong_rows([row for part in slices for row in part.to_dicts()])


def duckdb(table):
    import duckdb

    def rows(query, size):
        found = duckdb.connect().execute(query)
        while batch := found.fetchmany(size):
            yield from batch

    names = duckdb.sql(f"select * from '{table.path}'").columns
    for name, size in [("whole", 1 << 20), *((f"batches of {size}", size) for size in BATCHES)]:
        found = [dict(zip(names, row)) for row in rows(f"select * from '{table.path}'", size)]
        yield name, table.wrong_rows(found)
    column = rows(f"select {table.long} from '{table.path}'", 5)
    yield "one column", table.wrong_texts(text for (text,) in column)


def main(folder):
    paths = sorted([*folder.glob("*/long/*.parquet"), *folder.glob("*.parquet")])
    if not paths:
        sys.exit(f"{folder} holds no tables")
    tables, faults = [Table(path) for path in paths], 0
    for reader in (arrow, huggingface, polars, duckdb):
        ways, wrong = 0, []
        for table in tables:
            try:
                for way, complaint in reader(table):
                    ways += 1
                    if complaint:
                        wrong.append(f"{table.path.relative_to(folder)}, {way}: {complaint}")
            except Exception as error:  # A reader that fails is what is looked for.
                wrong.append(f"{table.path.relative_to(folder)}: {type(error).__name__}: {error}"[:300])
        print(f"{reader.__name__}: {len(tables)} files read in {ways} ways", *wrong, sep="; ")
        faults += len(wrong)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: long_rows.py FOLDER")
    sys.exit(main(Path(sys.argv[1]).resolve()))
