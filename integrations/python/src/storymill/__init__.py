"""storymill as a Python package: reads published datasets, scores answers; and the command itself (`python -m storymill`).

    data = storymill.Dataset("out/quickstart")
    questions = data.load("read-along", "test")          # a pyarrow.Table
    text = data.context("sm01/0004/scene-distortion")    # what is read before it is asked
    for row in data.materialize("eval"):                 # every row with its context, streaming
        ...
    tables = data.score("eval", predictions)             # a table for each form of question
    storymill.results("out/my-results").curve(by="tokens", model="gpt", setting="full")

Contexts are never repeated in rows: the context of a question is the beginning of its book. Contexts, scores and
audits come from the program's own code: `context` gives what `storymill inspect` prints, `score` what
`storymill score answers --format json` does.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .claims import verdicts
    from .contexts import long_contexts
    from .dataset import Dataset
    from .errors import DatasetError, ScoreError, StorymillError
    from .folders import context, load, materialize
    from .grades import Results, results
    from .questions import Question
    from .scoring import score, score_claims, score_faithfulness, score_file
    from .shortcuts import shortcut

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

_WHERE = {
    "claims": ["verdicts"],
    "contexts": ["long_contexts"],
    "dataset": ["Dataset"],
    "errors": ["DatasetError", "ScoreError", "StorymillError"],
    "folders": ["context", "load", "materialize"],
    "grades": ["Results", "results"],
    "questions": ["Question"],
    "scoring": ["score", "score_claims", "score_faithfulness", "score_file"],
    "shortcuts": ["shortcut"],
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    """What is asked for is read then: the command starts without pyarrow, which takes longer than it does."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
