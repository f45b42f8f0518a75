"""How many questions with options can be answered from the options alone, without the book?

A sentence encoder reads each option by itself, and a logistic regression over its vectors learns, from the books
of other authors, what right options look like. What it has right beyond guessing can be answered without reading.
"""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import encoder as encoders
from .dataset import Dataset
from .encoder import Encoder
from .errors import DatasetError
from .questions import OPTIONS, Question
from . import bootstrap

RIDGE = 1.0
FOLDS = 5


class Shortcut(NamedTuple):
    """What the options give away."""

    type: str
    """The kind of question."""
    questions: int
    authors: int
    accuracy: float
    interval: Optional[Tuple[float, float]]
    """95 %, by resampling authors."""
    chance: float
    """What guessing has right."""


def shortcut(
    folder: Union[str, Path, Dataset],
    config: str = "read-along",
    encoder: Union[str, Encoder] = "minilm",
    split: Optional[str] = None,
    model: Union[str, Path, None] = None,
    seed: int = 0,
) -> List[Shortcut]:
    """The figure for each kind of question of a config, over folds of authors: nobody is in training and test.

    `encoder` is `minilm`, or a function from texts to vectors; `model` is a folder with MiniLM's files where
    the package that carries them is not installed. Needs the extra `encoder`.
    """
    data = folder if isinstance(folder, Dataset) else Dataset(folder)
    asked = [
        question
        for question in data.questions(config, split, context="none")
        if question.form == OPTIONS
    ]
    if not asked:
        raise DatasetError(data.folder, f"{config} has no questions with options")
    vectors = _vectors(asked, encoders.named(encoder, model))
    kinds = sorted({question.type for question in asked})
    return [
        _figure(kind, [one for one in asked if one.type == kind], vectors, seed, data.folder)
        for kind in kinds
    ]


def _vectors(asked: List[Question], encoder: Encoder) -> Dict[str, Any]:
    """Each text is read once, however many questions have it."""
    texts = sorted({option for question in asked for option in question.options})
    return dict(zip(texts, encoder(texts)))


def _figure(
    kind: str, asked: List[Question], vectors: Dict[str, Any], seed: int, folder: Path
) -> Shortcut:
    from . import choosing

    authors = sorted({question.author for question in asked})
    if len(authors) < 2:
        raise DatasetError(folder, f"all {kind} questions are of one author: no fold can be made")
    fold = {author: at % min(FOLDS, len(authors)) for at, author in enumerate(authors)}
    features = [_features(question, vectors) for question in asked]
    scored: List[Tuple[str, float]] = []
    for number in sorted(set(fold.values())):
        others = [
            (found, question.right or 0)
            for found, question in zip(features, asked)
            if fold[question.author] != number
        ]
        weights = choosing.fitted(others, RIDGE)
        for found, question in zip(features, asked):
            if fold[question.author] == number:
                right = choosing.chosen(found, weights) == question.right
                scored.append((question.author, float(right)))
    interval = bootstrap.interval(scored, seed)
    return Shortcut(
        type=kind,
        questions=len(asked),
        authors=len(authors),
        accuracy=bootstrap.mean([score for _, score in scored]) or 0.0,
        interval=None if interval is None else (interval["low"], interval["high"]),
        chance=bootstrap.mean([1 / len(question.options) for question in asked]) or 0.0,
    )


def _features(question: Question, vectors: Dict[str, Any]) -> Any:
    """For each option its vector, and how like it is to the question's others."""
    import numpy

    own = numpy.stack([vectors[option] for option in question.options]).astype(numpy.float64)
    like = own @ own.T
    numpy.fill_diagonal(like, 0.0)
    others = max(len(own) - 1, 1)
    nearest = like.max(axis=1, keepdims=True)
    mean = like.sum(axis=1, keepdims=True) / others
    return numpy.hstack([own, mean, nearest])
