"""StorySumm's file of labels: its counts, and where it contradicts itself."""

from pathlib import Path
from typing import Any, Dict, List, Union

from ..errors import ScoreError
from .rows import load

Item = Dict[str, Any]

_NEEDED = {
    "label": int,
    "summary": list,
    "errors": list,
    "story-id": int,
    "split": str,
    "model": str,
}


def read(path: Union[str, Path]) -> Dict[str, Item]:
    """Reads the file. Values out of range are errors, contradictions are not."""
    items = load(path)
    if not isinstance(items, dict):
        raise ScoreError(None, f"{path}: a file of labels has an object for each id")
    if not items:
        raise ScoreError(None, f"{path}: there are no rows")
    for key, item in items.items():
        for field, kind in _NEEDED.items():
            if not isinstance(item, dict) or not isinstance(item.get(field), kind):
                raise ScoreError(None, f"{path}: `{key}`: no `{field}`, or not what it should be")
        for label in [*item["errors"], item["label"]]:
            if label not in (0, 1) or isinstance(label, bool):
                raise ScoreError(None, f"{path}: `{key}`: a label is 0 or 1, not {label}")
        if item.get("difficulty", "") not in ("", "easy", "hard"):
            raise ScoreError(None, f"{path}: `{key}`: `difficulty` is `easy`, `hard` or empty")
    return items


def dataset(items: Dict[str, Item]) -> Dict[str, Any]:
    """Counts the summaries, in the order of the file."""
    rows = list(items.values())
    faithful = [item for item in rows if item["label"] == 1]
    return {
        "summaries": len(rows),
        "stories": len({item["story-id"] for item in rows}),
        "per_split": {split: _of(rows, split) for split in _splits(rows)},
        **{key: count for key, count in _counts(rows).items() if key != "n"},
        "faithful_by_split": {split: _of(faithful, split) for split in _splits(rows)},
        "by_model": {
            model: _counts([item for item in rows if item["model"] == model])
            for model in {item["model"] for item in rows}
        },
        "sentences": sum(len(item["summary"]) for item in rows),
        "sentence_labels": sum(len(item["errors"]) for item in rows),
        "sentence_label_zeros": sum(_zeros(item) for item in rows),
        "claims": sum(len(item.get("claims", [])) for item in rows),
        "defects": [defect for key, item in items.items() for defect in _defects(key, item)],
    }


def _splits(rows: List[Item]) -> List[str]:
    return list(dict.fromkeys(item["split"] for item in rows))


def _of(rows: List[Item], split: str) -> int:
    return sum(item["split"] == split for item in rows)


def _counts(rows: List[Item]) -> Dict[str, int]:
    return {
        "n": len(rows),
        "faithful": sum(item["label"] for item in rows),
        "easy": sum(item.get("difficulty") == "easy" for item in rows),
        "hard": sum(item.get("difficulty") == "hard" for item in rows),
    }


def _zeros(item: Item) -> int:
    return int(item["errors"].count(0))


def _defects(key: str, item: Item) -> List[Dict[str, str]]:
    sentences, labels = len(item["summary"]), len(item["errors"])
    explained, zeros = len(item.get("explanations", [])), _zeros(item)
    found = []

    def note(fault: str, what: str) -> None:
        found.append({"id": key, "fault": fault, "what": what})

    if sentences != labels:
        fault = "summary_and_errors_length_differ"
        if sentences == 0:
            fault = "labels_without_sentences"
        elif labels == 0:
            fault = "sentences_without_labels"
        note(fault, f"{sentences} sentences, {labels} labels")
    if item["label"] == 0 and zeros == 0:
        note("label_0_but_no_zero_sentence", f"label 0, {labels} sentences labelled 1")
    if item["label"] == 1 and zeros > 0:
        note("label_1_but_zero_sentence", f"label 1, {zeros} sentences labelled 0")
    if explained > 0 and zeros == 0:
        note("explanations_without_zero", f"{explained} explanations, no sentence labelled 0")
    elif explained != zeros:
        what = f"{explained} explanations, {zeros} sentences labelled 0"
        note("explanations_and_zeros_differ", what)
    return found
