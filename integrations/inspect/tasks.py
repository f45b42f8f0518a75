"""Tasks for Inspect AI, one for each form of question, made from a published folder.

inspect eval tasks.py@choices  -T folder=out/quickstart --model MODEL
inspect eval tasks.py@repairs  -T folder=out/quickstart --model MODEL
inspect eval tasks.py@contexts -T written=out/lveval-contexts --model MODEL
inspect eval tasks.py@verdicts -T claims=my-set --model MODEL

Every task has the forgetting curve among its metrics: what is right by how far back the answer lies. A relative path
counts from where Inspect is started. `context=none` shows no context: what can be answered without the book.
"""

import os
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Optional

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import accuracy, choice, mean, stderr
from inspect_ai.solver import generate, multiple_choice

import storymill
from storymill.questions import FREE_TEXT, OPTIONS, Question, shown

from scorers import curve, free_text, keyword_f1, pair_accuracy, verdict


@task
def choices(
    folder: str,
    config: str = "eval-small",
    split: Optional[str] = None,
    context: str = "full",
    by: str = "words",
) -> Task:
    """Questions with options."""
    asked = _asked(folder, config, split, context, OPTIONS)
    return Task(
        dataset=_dataset("choices", asked),
        solver=multiple_choice(),
        scorer=choice(),
        metrics=[accuracy(), stderr(cluster="author"), curve(by)],
    )


@task
def repairs(
    folder: str,
    config: str = "eval-small",
    split: Optional[str] = None,
    context: str = "full",
    by: str = "words",
) -> Task:
    """Texts to be put right, scored by their overlap with the true one."""
    asked = _asked(folder, config, split, context, FREE_TEXT)
    return Task(
        dataset=_dataset("repairs", asked),
        solver=generate(),
        scorer=free_text(),
        metrics=_overlaps(("rouge-l", "f1", "em"), by),
    )


@task
def contexts(written: str, context: str = "full", by: str = "symbols") -> Task:
    """Long contexts in LV-Eval's way, from the files that `storymill export` writes."""
    found = storymill.long_contexts(_found(written), context)
    # The words of a Chinese answer are cut by the program alone: `storymill score lveval` scores those.
    asked = (question for question in found if question.language == "en")
    return Task(
        dataset=_dataset("contexts", asked),
        solver=generate(),
        scorer=keyword_f1(),
        metrics=_overlaps(("keyword-f1", "f1", "em"), by),
    )


@task
def verdicts(claims: str, context: str = "full", by: str = "symbols") -> Task:
    """Pairs of claims about whole books; a pair is right if both its claims are."""
    asked = storymill.verdicts(_found(claims), context)
    return Task(
        dataset=_dataset("verdicts", asked),
        solver=generate(),
        scorer=verdict(),
        metrics=[accuracy(), stderr(cluster="author"), pair_accuracy(), curve(by)],
    )


def _overlaps(names: Iterable[str], by: str) -> Dict[str, Any]:
    """For each measure of a scorer its mean, its error and its curve."""
    return {name: [mean(), stderr(cluster="author"), curve(by)] for name in names}


def _asked(
    folder: str, config: str, split: Optional[str], context: str, form: str
) -> Iterator[Question]:
    data = storymill.Dataset(_found(folder))
    return (one for one in data.questions(config, split, context) if one.form == form)


def _dataset(name: str, asked: Iterable[Question]) -> MemoryDataset:
    samples = [_sample(question) for question in asked]
    if not samples:
        raise storymill.StorymillError(f"there are no questions for the task {name!r}")
    return MemoryDataset(samples, name=f"storymill-{name}")


def _sample(question: Question) -> Sample:
    letters = question.form == OPTIONS
    target = chr(ord("A") + (question.right or 0)) if letters else question.references
    return Sample(
        id=question.id,
        input=shown(question, question.question),
        choices=question.options if letters else None,
        target=target,
        metadata={
            "author": question.author,
            "of": question.of,
            "type": question.type,
            "pair": question.pair,
            "keywords": question.keywords or "",
            "claim": question.claim,
            "demand": question.demand,
            "length": question.length,
            "canary": question.canary,
        },
    )


def _found(folder: str) -> Path:
    """The folder, which may count from where Inspect was started: tasks run in the folder of their file.

    A shell leaves the place of the start in `PWD`. Where no shell started Inspect, the folders above
    this file, one of which is the checkout, are looked through too.
    """
    started = Path(os.environ.get("PWD", "."))
    places = [started, Path.cwd(), *Path(__file__).resolve().parents]
    there = (place / folder for place in places if (place / folder).exists())
    return next(there, started / folder)
