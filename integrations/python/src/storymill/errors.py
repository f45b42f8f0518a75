"""What can go wrong, said so that it can be put right: where, why, and what to do."""

from pathlib import Path
from typing import Optional, Union


class StorymillError(Exception):
    """Anything that this package refuses."""


class DatasetError(StorymillError):
    """A published folder, or a part of it, that cannot be read as asked."""

    def __init__(self, path: Union[str, Path], reason: str, hint: Optional[str] = None) -> None:
        self.path = Path(path)
        self.reason = reason
        self.hint = hint
        super().__init__(f"{path}: {reason}" + (f" ({hint})" if hint else ""))


class ScoreError(StorymillError):
    """A row that cannot be scored because it is not what a row should be."""

    def __init__(self, line: Optional[int], reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(reason if line is None else f"line {line}: {reason}")
