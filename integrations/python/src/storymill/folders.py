"""The same as the methods of `Dataset`, for a folder that is needed once."""

from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Union

import pyarrow

from .dataset import Dataset


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
