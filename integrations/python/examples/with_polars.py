"""Polars: questions of a config with their contexts, as one lazy query.

python with_polars.py FOLDER
"""

import sys
from typing import Iterator, Tuple

import polars as pl


def contexts(folder: str, config: str = "eval") -> Iterator[Tuple[str, str]]:
    """Yields the id of each question and what is read before it is asked."""
    pieces = pl.scan_parquet(f"{folder}/books-text/*.parquet").sort("start_symbols")
    books = pieces.group_by("book_id", maintain_order=True).agg(pl.col("text").str.join(""))
    questions = pl.scan_parquet(f"{folder}/{config}/*.parquet")
    context = pl.col("text").str.slice(0, pl.col("context_symbols"))
    found = questions.join(books, on="book_id").select("question_id", context.alias("context"))
    yield from found.collect().iter_rows()


if __name__ == "__main__":
    for name, context in contexts(sys.argv[1]):
        print(f"{name}: {len(context)} symbols")
