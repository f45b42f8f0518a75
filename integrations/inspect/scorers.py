"""Scorers and metrics of the tasks: the measures of `storymill score`, pair accuracy, the forgetting curve."""

from typing import Any, Dict, List

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState

import storymill
from storymill import curve as curves
from storymill.scoring import verdict as read

_AS_NUMBER = value_to_float()
_COLUMNS = {
    "rouge-l": "rougeL",
    "f1": "f1",
    "em": "em",
    "keyword-f1": "keyword_f1_as_released",
}


@metric
def curve(by: str = "words") -> Metric:
    """The mean in each bin of demand; a bin holds answers that lie up to twice as far back as the one before.

    `by` is `scenes`, `words`, `symbols` or `tokens`. A question whose answer lies nowhere is in no bin.
    """

    def told(scores: List[SampleScore]) -> Dict[str, Any]:
        rows = []
        for one in scores:
            metadata = one.sample_metadata or {}
            length = metadata.get("demand", {}).get(by)
            if length is not None:
                rows.append((length, metadata["author"], _AS_NUMBER(one.score.value)))
        return {f"{by}_{found.name}": found.mean for found in curves.curve(rows)}

    return told


@metric
def pair_accuracy() -> Metric:
    """The share of pairs of which both claims were judged right."""

    def told(scores: List[SampleScore]) -> float:
        pairs: Dict[str, List[float]] = {}
        for one in scores:
            pair = (one.sample_metadata or {}).get("pair", "")
            pairs.setdefault(pair, []).append(_AS_NUMBER(one.score.value))
        whole = [min(right) for right in pairs.values() if len(right) == 2]
        return sum(whole) / len(whole) if whole else 0.0

    return told


@scorer(metrics=[mean()])
def free_text() -> Scorer:
    """ROUGE-L, token F1 and exact match with the true text, as `storymill score answers` has them."""
    return _overlap(["rouge-l", "f1", "em"])


@scorer(metrics=[mean()])
def keyword_f1() -> Scorer:
    """LV-Eval's F1, which is open only where the words that matter were said."""
    return _overlap(["keyword-f1", "f1", "em"])


@scorer(metrics=[mean()])
def verdict() -> Scorer:
    """Whether the verdict that an answer comes to is right; an answer without one is wrong."""

    async def scored(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        told = read(said, state.metadata["claim"])
        right = told is not None and told.upper() == target.text
        return Score(value=CORRECT if right else INCORRECT, answer=told, explanation=said)

    return scored


def _overlap(names: List[str]) -> Scorer:
    async def scored(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        row: Dict[str, Any] = {"prediction": said, "references": list(target)}
        if state.metadata["keywords"]:
            row["keywords"] = state.metadata["keywords"]
        table = storymill.score([row])
        columns = [column["name"] for column in table["columns"]]
        scores = table["rows"][0]["scores"]
        value = {name: scores[columns.index(_COLUMNS[name])] for name in names}
        return Score(value=value, answer=said)

    return scored
