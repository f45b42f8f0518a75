"""One row of answers, under the names that existing files use."""

import json
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from ..errors import DatasetError, ScoreError
from .text import blank

_NAMES = {
    "prediction": ("prediction", "pred"),
    "reference": ("reference", "references", "answer", "answers", "ref"),
    "keywords": ("keywords", "answer_keywords", "key"),
    "language": ("language", "lang"),
    "id": ("id",),
    "cluster": ("cluster",),
    "tokens_prediction": ("tokens_prediction",),
    "tokens_answer": ("tokens_answer", "tokens_reference"),
    "tokens_keywords": ("tokens_keywords",),
}


class Given(NamedTuple):
    """A row that has all it needs."""

    line: int
    id: Optional[str]
    cluster: Optional[str]
    language: str
    prediction: str
    references: List[str]
    keywords: Optional[str]
    tokens_prediction: Optional[List[str]]
    tokens_answer: Optional[List[str]]
    tokens_keywords: Optional[List[str]]


def load(path: Union[str, Path]) -> Any:
    """Reads a file of JSON. A field that stands twice in an object is refused."""
    try:
        return json.loads(_text(path), object_pairs_hook=_once, parse_constant=_no_number)
    except ValueError as error:
        raise DatasetError(path, f"no JSON: {error}") from error


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"`{next(name for name in names if names.count(name) > 1)}` stands twice")
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"`{word}` is not a number in JSON, and no score")


def _text(path: Union[str, Path]) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise DatasetError(path, f"cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise DatasetError(path, "not UTF-8 text") from error


def of_file(path: Union[str, Path]) -> List[Given]:
    """Reads a file of JSON lines; blank ones are skipped."""
    rows = []
    for line, told in enumerate(_text(path).split("\n"), start=1):
        if blank(told):
            continue
        try:
            row = json.loads(told, object_pairs_hook=_once, parse_constant=_no_number)
        except ValueError as error:
            raise ScoreError(line, f"no JSON: {error}") from error
        rows.append(_given(line, row))
    return _some(rows)


def of_rows(rows: Iterable[Mapping[str, Any]]) -> List[Given]:
    """Takes rows as they are; they count as lines from 1."""
    return _some([_given(line, row) for line, row in enumerate(rows, start=1)])


def _some(rows: List[Given]) -> List[Given]:
    if not rows:
        raise ScoreError(None, "there are no rows")
    return rows


def _given(line: int, row: Any) -> Given:
    if not isinstance(row, Mapping):
        raise ScoreError(line, "a row is an object with fields")
    found: Dict[str, Any] = {}
    for field, names in _NAMES.items():
        there = [name for name in names if name in row]
        if len(there) > 1:
            raise ScoreError(line, f"`{there[0]}` and `{there[1]}` are the same field")
        found[field] = row[there[0]] if there else None
    for field in ("prediction", "keywords", "language"):
        if not isinstance(found[field], (str, type(None))):
            raise ScoreError(line, f"`{field}` is a text")
    for field in ("tokens_prediction", "tokens_answer", "tokens_keywords"):
        if found[field] is not None and not _texts(found[field]):
            raise ScoreError(line, f"`{field}` is a list of texts")
    if found["prediction"] is None:
        raise ScoreError(line, "no `prediction`")
    references = found["reference"]
    if references is None:
        raise ScoreError(line, "no `reference` or `references`")
    references = [references] if isinstance(references, str) else references
    if not _texts(references):
        raise ScoreError(line, "references are a text or a list of texts")
    if not references:
        raise ScoreError(line, "`references` is empty")
    language = "en" if found["language"] is None else found["language"]
    if language not in ("en", "zh"):
        raise ScoreError(line, f"`language` is `en` or `zh`, not `{language}`")
    if found["tokens_answer"] is not None and len(references) > 1:
        raise ScoreError(line, "words are given for one reference, but there are several")
    return Given(
        line,
        _name(line, found["id"]),
        _name(line, found["cluster"]),
        language,
        found["prediction"],
        list(references),
        found["keywords"],
        found["tokens_prediction"],
        found["tokens_answer"],
        found["tokens_keywords"],
    )


def _texts(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and all(isinstance(value, str) for value in values)


def _name(line: int, value: Any) -> Optional[str]:
    """A text, or a number taken as its digits."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return json.dumps(value)
    raise ScoreError(line, "an id is a text or a number")
