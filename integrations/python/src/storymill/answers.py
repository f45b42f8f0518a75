"""Answers to the questions of a published table, scored form by form.

A share of right options and an overlap of words are two things: there is no mean over both.
"""

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from . import bootstrap
from .errors import DatasetError
from .questions import FREE_TEXT, LONG_CONTEXT, OPTIONS, form_of
from .scoring import score

if TYPE_CHECKING:
    from .dataset import Dataset

Predictions = Mapping[str, Union[str, int]]
"""A text by question id, or for a question with options the position of one, from 0."""


def by_form(
    data: "Dataset",
    config: str,
    predictions: Predictions,
    split: Optional[str],
    **options: Any,
) -> Dict[str, Dict[str, Any]]:
    """A table for each form that the questions of a config have."""
    asked: Dict[str, List[Tuple[Dict[str, Any], Union[str, int]]]] = {}
    for row, said in _paired(data, config, predictions, split):
        asked.setdefault(form_of(row) or FREE_TEXT, []).append((row, said))
    tables = {}
    for form in sorted(asked, reverse=True):
        if form == OPTIONS:
            tables[form] = _chosen(data, asked[form], options.get("seed", 0))
        else:
            tables[form] = score([_line(data, row, said) for row, said in asked[form]], **options)
    return tables


def lines(
    data: "Dataset",
    config: str,
    predictions: Predictions,
    split: Optional[str],
    form: Optional[str],
) -> List[Dict[str, Any]]:
    """The lines of a file for `storymill score answers`: prediction, reference, id, cluster."""
    paired = list(_paired(data, config, predictions, split))
    forms = sorted({form_of(row) or FREE_TEXT for row, _ in paired})
    if form is None and len(forms) > 1:
        raise DatasetError(
            data.folder,
            f"{config} has questions of several forms, which no mean goes over",
            "say which: " + ", ".join(f"form={name!r}" for name in forms),
        )
    return [_line(data, row, said) for row, said in paired if form in (None, form_of(row))]


def _paired(
    data: "Dataset", config: str, predictions: Predictions, split: Optional[str]
) -> Iterator[Tuple[Dict[str, Any], Union[str, int]]]:
    """Every question with what was said to it. All of them have to have an answer."""
    missing, seen = [], set()
    for row in data.rows(config, split):
        name = question_id(data, row)
        seen.add(name)
        if name in predictions:
            yield row, predictions[name]
        else:
            missing.append(name)
    unknown = sorted(set(predictions) - seen)
    if unknown:
        raise DatasetError(data.folder, f"{config} has no question {unknown[0]!r}")
    if missing:
        raise DatasetError(
            data.folder, f"{len(missing)} questions have no prediction, {missing[0]!r} the first"
        )


def _chosen(
    data: "Dataset", asked: List[Tuple[Dict[str, Any], Union[str, int]]], seed: int
) -> Dict[str, Any]:
    """The share of right options, and what guessing would have right."""
    rows = []
    for row, said in asked:
        chosen = said if isinstance(said, str) else _option(data, row, said)
        right = chosen == row["options"][row["answer"]]
        name, book = question_id(data, row), row["book_id"]
        rows.append({"id": name, "cluster": book, "scores": [float(right)]})
    scores = [found["scores"][0] for found in rows]
    column = {
        "name": "accuracy",
        "rows": len(rows),
        "mean": bootstrap.mean(scores),
        "interval": bootstrap.interval([(row["cluster"], row["scores"][0]) for row in rows], seed),
        "chance": bootstrap.mean([1 / len(row["options"]) for row, _ in asked]),
    }
    return {"columns": [column], "rows": rows}


def _line(data: "Dataset", row: Dict[str, Any], said: Union[str, int]) -> Dict[str, Any]:
    line = {
        "id": question_id(data, row),
        "cluster": row.get("book_id") or row.get("set"),
        "prediction": said if isinstance(said, str) else _option(data, row, said),
    }
    if form_of(row) == LONG_CONTEXT:
        line.update(references=row["answers"], language=row["language"])
        return {**line, "keywords": row["answer_keywords"]} if row["answer_keywords"] else line
    return {**line, "reference": _reference(row)}


def _option(data: "Dataset", row: Dict[str, Any], position: int) -> str:
    options = row.get("options") or []
    if isinstance(position, bool) or not 0 <= position < len(options):
        raise DatasetError(data.folder, f"{question_id(data, row)} has no option at {position!r}")
    return str(options[position])


def question_id(data: "Dataset", row: Mapping[str, Any]) -> str:
    """The id of a question, or of a long context with its question."""
    for name in ("question_id", "context_id"):
        if isinstance(row.get(name), str):
            return str(row[name])
    raise DatasetError(
        data.folder, "this config has no questions", "try eval, read-along, reconstruction"
    )


def _reference(row: Mapping[str, Any]) -> str:
    """The right option, or the text that a free answer is compared with."""
    if row.get("reference") is not None:
        return str(row["reference"])
    answer = row["answer"]
    return answer if isinstance(answer, str) else str(row["options"][answer])
