"""The extension module: the program's own code. Rows and tables are JSON."""

from os import PathLike
from typing import List, Optional, Sequence, Tuple, Union

Path = Union[str, PathLike[str]]

def main(arguments: Sequence[str], models: Optional[Path]) -> int: ...
def answers(
    lines: str,
    *,
    one_reference: bool,
    wordnet: Optional[WordNet],
    wordlists: Optional[str],
    seed: int,
) -> str: ...
def claims(text: str, common: List[str]) -> str: ...
def faithfulness(labels: str, predictions: List[Tuple[str, str]], allow_missing: bool) -> str: ...
def verdict(answer: str, claim: str) -> Optional[str]:
    """Reads `true`, `false` or `fail` out of an answer to a claim; none if it was never given."""

def mean(values: List[float]) -> Optional[float]: ...
def interval(
    rows: List[Tuple[str, float]], seed: int
) -> Optional[Tuple[float, float, float]]: ...
def audit(folder: Path, config: Optional[str], without_book: bool) -> str: ...

class WordNet:
    """A folder of WordNet 3.0, read once."""

    def __init__(self, folder: Path) -> None: ...

class Contexts:
    """What is read before questions of one folder are asked."""

    def __init__(self, folder: Path) -> None: ...
    def of(self, row: str, configs: List[str]) -> str: ...
    def prompt(self, row: str, context: str) -> str: ...
