"""DuckDB: questions of a config with their contexts, as one statement.

python with_duckdb.py FOLDER
"""

import sys
from typing import Iterator, Tuple

import duckdb


def contexts(folder: str, config: str = "eval") -> Iterator[Tuple[str, str]]:
    """Yields the id of each question and what is read before it is asked."""
    found = duckdb.execute(
        """
        with books as (
            select book_id, string_agg(text, '' order by start_symbols) as text
            from read_parquet($texts) group by book_id
        )
        select question_id, substring(books.text, 1, questions.context_symbols)
        from read_parquet($questions) as questions
        join books using (book_id)
        """,
        {"questions": f"{folder}/{config}/*.parquet", "texts": f"{folder}/books-text/*.parquet"},
    )
    while batch := found.fetchmany(100):
        yield from batch


if __name__ == "__main__":
    for name, context in contexts(sys.argv[1]):
        print(f"{name}: {len(context)} symbols")
