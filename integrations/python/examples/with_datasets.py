"""Hugging Face `datasets`: questions of a config with their contexts.

python with_datasets.py FOLDER
"""

import os
import sys
from typing import Dict, Iterator, Tuple

# The folder lies here: nothing has to be asked of a hub.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from datasets import disable_progress_bars, load_dataset  # noqa: E402


def contexts(folder: str, config: str = "eval") -> Iterator[Tuple[str, str]]:
    """Yields the id of each question and what is read before it is asked."""
    disable_progress_bars()
    text: Dict[str, str] = {}
    for pieces in load_dataset(folder, "books-text").values():
        for piece in pieces:
            text[piece["book_id"]] = text.get(piece["book_id"], "") + piece["text"]
    for questions in load_dataset(folder, config).values():
        for question in questions:
            yield question["question_id"], text[question["book_id"]][: question["context_symbols"]]


if __name__ == "__main__":
    for name, context in contexts(sys.argv[1]):
        print(f"{name}: {len(context)} symbols")
