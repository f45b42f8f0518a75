"""StorySumm's table: how well automatic judges find unfaithful summaries."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ..errors import ScoreError
from .rows import load
from .storysumm import dataset, read

Judgement = Tuple[Dict[str, Any], bool]
"""A summary, and whether a judge said that it is faithful."""

_STEPS = 150


def score_faithfulness(
    labels: Union[str, Path], predictions: Sequence[Union[str, Path]]
) -> Dict[str, Any]:
    """Scores files of predictions, one judge each, against StorySumm's labels.

    A prediction is `{"label": 0 or 1}` or `{"probs": number}`; where every entry has a label, that
    counts, else the threshold is tuned on the split `val`. The result is that of `storymill score
    faithfulness LABELS PREDICTIONS... --format json`.
    """
    items = read(labels)
    paths = [Path(path) for path in predictions]
    stems = [path.stem for path in paths]
    named = [
        (path.stem if stems.count(path.stem) == 1 else str(given), path)
        for given, path in zip(predictions, paths)
    ]
    return {
        "variant": {"name": "storysumm-table", "version": 1},
        "dataset": dataset(items),
        "evaluators": [_evaluator(items, name, path) for name, path in named],
    }


def _evaluator(items: Dict[str, Dict[str, Any]], name: str, path: Path) -> Dict[str, Any]:
    said = load(path)
    if not isinstance(said, dict) or not all(isinstance(one, dict) for one in said.values()):
        raise ScoreError(None, f"{path}: a file of predictions has an object for each id")
    judged = [(item, key, said[key]) for key, item in items.items() if key in said]
    if not judged:
        raise ScoreError(None, f"{path}: there are no rows")
    threshold = None
    if all(one.get("label") is not None for _, _, one in judged):
        faithful = [_label(path, key, one) for _, key, one in judged]
    else:
        scores = [_probs(path, key, one) for _, key, one in judged]
        threshold = _tuned(path, [item for item, _, _ in judged], scores)
        # Above the threshold, not at it: so the original reports.
        faithful = [score > threshold for score in scores]
    rows = [(item, told) for (item, _, _), told in zip(judged, faithful)]
    splits = ["all", *dict.fromkeys(item["split"] for item, _ in rows)]
    return {
        "name": name,
        "threshold": threshold,
        "parts": [_part(split, rows) for split in dict.fromkeys(splits)],
        "unjudged": [key for key in items if key not in said],
        "unknown": [key for key in said if key not in items],
        "contradictions": [key for key, one in said.items() if _contradicts_itself(one)],
    }


def _label(path: Path, key: str, said: Dict[str, Any]) -> bool:
    if said["label"] not in (0, 1) or isinstance(said["label"], bool):
        raise ScoreError(None, f"{path}: `{key}`: `label` is 0 or 1")
    return bool(said["label"] == 1)


def _probs(path: Path, key: str, said: Dict[str, Any]) -> float:
    score = said.get("probs")
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        raise ScoreError(None, f"{path}: `{key}`: `probs` is one number where there is no `label`")
    return float(score)


def _tuned(path: Path, items: List[Dict[str, Any]], scores: List[float]) -> float:
    """The first of 150 values that has the best balanced accuracy on the split `val`."""
    rows = [(item, score) for item, score in zip(items, scores) if item["split"] == "val"]
    if not rows:
        raise ScoreError(None, f"{path}: no summary of the split `val` to tune a threshold on")
    step = 1.0 / (_STEPS - 1)
    best = (float("-inf"), 0.0)
    for at in range(_STEPS):
        threshold = 1.0 if at + 1 == _STEPS else at * step
        counts = _counts([(item, score >= threshold) for item, score in rows])
        found = _balanced(counts) or 0.0
        if found > best[0]:
            best = (found, threshold)
    return best[1]


def _part(split: str, all_rows: List[Judgement]) -> Dict[str, Any]:
    """One row of the table. "Faithful" is the positive class."""
    rows = [row for row in all_rows if split in ("all", row[0]["split"])]
    counts = _counts(rows)
    said = counts["tp"] + counts["fp"]
    balanced = _balanced(counts)
    return {
        "split": split,
        "n": len(rows),
        "counts": counts,
        "kappa": _kappa(counts),
        "pct_faithful": _percent(said, len(rows)),
        "precision": _share(counts["tp"], said),
        "recall": _share(counts["tp"], counts["tp"] + counts["fn"]),
        "easy_detected": _detected(rows, "easy"),
        "hard_detected": _detected(rows, "hard"),
        "bal_acc": None if balanced is None else 100.0 * balanced,
    }


def _detected(rows: List[Judgement], difficulty: str) -> Optional[float]:
    of = [told for item, told in rows if item.get("difficulty", "") == difficulty]
    return _percent(of.count(False), len(of))


def _counts(rows: List[Judgement]) -> Dict[str, int]:
    counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for item, told in rows:
        true = item["label"] == 1
        counts[("t" if true == told else "f") + ("p" if told else "n")] += 1
    return counts


def _balanced(counts: Dict[str, int]) -> Optional[float]:
    recall = _share(counts["tp"], counts["tp"] + counts["fn"])
    specificity = _share(counts["tn"], counts["tn"] + counts["fp"])
    if recall is None or specificity is None:
        return specificity if recall is None else recall
    return (recall + specificity) / 2.0


def _kappa(counts: Dict[str, int]) -> Optional[float]:
    tp, fp, fn, tn = (counts[name] for name in ("tp", "fp", "fn", "tn"))
    n = tp + fp + fn + tn
    if n == 0:
        return None
    agreed = (tp + tn) / n
    chance = ((tp + fn) / n) * ((tp + fp) / n) + ((tn + fp) / n) * ((tn + fn) / n)
    return (agreed - chance) / (1.0 - chance) if chance < 1.0 else None


def _share(part: int, whole: int) -> Optional[float]:
    return part / whole if whole else None


def _percent(part: int, whole: int) -> Optional[float]:
    return 100.0 * (part / whole) if whole else None


def _contradicts_itself(said: Dict[str, Any]) -> bool:
    """Whether its own label is not what its claims or sentences add up to."""
    label = said.get("label")
    parts = (said.get("claim_labels"), said.get("sentence_labels"))
    return label is not None and any(
        (label == 1) != all(one == 1 for one in labels) for labels in parts if labels is not None
    )
