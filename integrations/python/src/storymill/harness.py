"""What the task files for lm-evaluation-harness call: documents, their texts, and what answers are worth.

A document is small: the context of a question about a book is put together when its text is asked for.
"""

from functools import lru_cache
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import bootstrap, curve
from .claims import verdicts
from .contexts import long_contexts
from .dataset import Dataset
from .questions import FREE_TEXT, LONG_CONTEXT, OPTIONS, VERDICT, Question, lettered
from .scoring import score

MEASURES = {
    OPTIONS: {"acc": ""},
    VERDICT: {"acc": ""},
    FREE_TEXT: {"rouge_l": "rougeL", "f1": "f1", "em": "em"},
    LONG_CONTEXT: {"keyword_f1": "keyword_f1_as_released", "f1": "f1", "em": "em"},
}
"""By form the measures of a task, the one that the curve is of first, and our columns of them."""


def questions(
    form: str, folder: str, config: str = "", split: Optional[str] = None, context: str = "full"
) -> Iterator[Question]:
    """The questions of a task. Contexts of books are left out: `text` puts them together."""
    if form == LONG_CONTEXT:
        # The words of a Chinese answer are cut by the program alone.
        found: Iterable[Question] = (
            one for one in long_contexts(folder, context) if one.language == "en"
        )
    elif form == VERDICT:
        found = verdicts(folder, context)
    else:
        found = _opened(folder).questions(config, split, context="none")
    return (one for one in found if one.form == form)


def docs(**task: Any) -> Dict[str, Any]:
    """The documents of a task file, from its `dataset_kwargs`, as one split."""
    import datasets

    wanted: Dict[str, Any] = {key: task.get(key) for key in ("form", "folder", "config", "split")}
    rows = []
    for one in questions(**wanted, context=task["context"]):
        letters = [chr(ord("A") + at) for at in range(len(one.options))]
        rows.append(
            {
                "id": one.id,
                "folder": str(task["folder"]) if task["context"] == "full" else "",
                "config": one.config,
                "form": one.form,
                "type": one.type,
                "task": lettered(one) if one.form == OPTIONS else one.question,
                "choices": one.options if one.form == VERDICT else letters,
                "right": -1 if one.right is None else one.right,
                "references": one.references,
                "keywords": one.keywords or "",
                "pair": one.pair,
                "bin": bin_of(one, task["by"]) or "",
                "context": one.context,
                "canary": one.canary,
            }
        )
    return {"test": datasets.Dataset.from_list(rows)}


def bin_of(question: Question, by: str) -> Optional[str]:
    """The metric that a question counts for in the curve; none if its answer lies nowhere."""
    length = question.demand.get(by)
    return None if length is None else f"{by}_{curve.name(curve.low(length))}"


def text(doc: Mapping[str, Any]) -> str:
    """What a model is shown: the context, then the task."""
    context = doc["context"]
    if doc["folder"] and doc["form"] in (OPTIONS, FREE_TEXT):
        context = _opened(doc["folder"]).context(doc["id"], doc["config"])
    told = f"{context}\n\n{doc['task']}" if context else str(doc["task"])
    return f"{told}\n\nAnswer:" if doc["form"] in (OPTIONS, VERDICT) else told


def chosen(doc: Mapping[str, Any], results: Sequence[Tuple[float, bool]]) -> Dict[str, Any]:
    """Whether the likeliest choice is the right one."""
    likeliest = max(range(len(results)), key=lambda at: results[at][0])
    right = float(likeliest == doc["right"])
    found: Dict[str, Any] = {"acc": right, **_binned(doc, right)}
    return {**found, "pair_acc": (doc["pair"], right)} if doc["pair"] else found


def written(doc: Mapping[str, Any], results: Sequence[str]) -> Dict[str, Any]:
    """The overlap of what was written with the true text, as `storymill score answers` has it."""
    row: Dict[str, Any] = {"prediction": results[0], "references": list(doc["references"])}
    if doc["keywords"]:
        row["keywords"] = doc["keywords"]
    table = score([row])
    names: List[str] = [column["name"] for column in table["columns"]]
    measures = MEASURES[doc["form"]]
    scores = table["rows"][0]["scores"]
    found = {name: scores[names.index(column)] for name, column in measures.items()}
    return {**found, **_binned(doc, found[next(iter(measures))])}


def pairs(items: Sequence[Tuple[str, float]]) -> float:
    """The share of pairs of which both claims were judged right."""
    halves: Dict[str, List[float]] = {}
    for pair, right in items:
        halves.setdefault(pair, []).append(right)
    whole = [min(right) for right in halves.values() if len(right) == 2]
    return bootstrap.mean(whole) or 0.0


def _binned(doc: Mapping[str, Any], value: float) -> Dict[str, float]:
    return {doc["bin"]: value} if doc["bin"] else {}


@lru_cache(maxsize=2)
def _opened(folder: str) -> Dataset:
    return Dataset(folder)
