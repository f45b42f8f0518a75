"""Reads datasets that storymill published: rows, contexts of questions, scores.

    data = storymill.Dataset("out/quickstart")
    questions = data.load("read-along", "test")          # a pyarrow.Table
    text = data.context("sm01/0004/scene-distortion")    # what is read before it is asked
    for row in data.materialize("eval"):                 # every row with its context, streaming
        ...
    tables = data.score("eval", predictions)             # a table for each form of question
    storymill.results("out/my-results").curve(by="tokens", model="gpt", setting="full")

Contexts are never repeated in rows: the context of a question is the beginning of its book. What
`context` gives is what `storymill context` prints, and what `score` gives for free text is what
`storymill score answers --format json` prints, to the last digit.
"""

from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Union

import pyarrow

from .contexts import long_contexts
from .dataset import Dataset
from .errors import DatasetError, ScoreError, StorymillError
from .questions import Question
from .results import Results, results
from .scoring import score, score_claims, score_faithfulness, score_file
from .shortcut import shortcut
from .verdicts import verdicts

__all__ = [
    "Dataset",
    "DatasetError",
    "Question",
    "Results",
    "ScoreError",
    "StorymillError",
    "context",
    "load",
    "long_contexts",
    "materialize",
    "results",
    "score",
    "score_claims",
    "score_faithfulness",
    "score_file",
    "shortcut",
    "verdicts",
]
__version__ = "0.1.0"


def load(folder: Union[str, Path], config: str, split: Optional[str] = None) -> pyarrow.Table:
    """Reads the rows of a config, of one split or of all, in the order of its files."""
    return Dataset(folder).load(config, split)


def context(
    folder: Union[str, Path], question: str, config: Optional[str] = None, ask: bool = False
) -> str:
    """Tells what is read before a question is asked; with `ask` the question stands behind it.

    Make a `Dataset` once where many are wanted: it remembers books and ids.
    """
    return Dataset(folder).context(question, config=config, ask=ask)


def materialize(
    folder: Union[str, Path], config: str, split: Optional[str] = None, ask: bool = False
) -> Iterator[Dict[str, Any]]:
    """Yields every row of a config of questions with its context as `context`."""
    return Dataset(folder).materialize(config, split, ask=ask)
