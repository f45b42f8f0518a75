"""Tasks for Inspect AI: questions with options, and texts to be put right.

inspect eval inspect_task.py@choices -T folder=out/quickstart --model MODEL
inspect eval inspect_task.py@repairs -T folder=out/quickstart --model MODEL

A relative `folder` counts from where Inspect is started.
"""

import os
from pathlib import Path
from typing import Any, Dict, Iterator, Optional

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, accuracy, choice, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate, multiple_choice

import storymill


@task
def choices(folder: str, config: str = "eval-small", split: Optional[str] = None) -> Task:
    """Questions with options; errors are clustered by book."""
    samples = (
        Sample(
            id=row["question_id"],
            input=f"{row['context']}\n\n{row['question']}",
            choices=row["options"],
            target=chr(ord("A") + row["answer"]),
            metadata=_metadata(row),
        )
        for row in _rows(folder, config, split)
        if row["options"]
    )
    return Task(
        dataset=MemoryDataset(list(samples), name="storymill-choices"),
        solver=multiple_choice(),
        scorer=choice(),
        metrics=[accuracy(), stderr(cluster="book_id")],
    )


@task
def repairs(folder: str, config: str = "eval-small", split: Optional[str] = None) -> Task:
    """False retellings to be put right, scored by F1 with the true one."""
    samples = (
        Sample(
            id=row["question_id"],
            input=f"{row['context']}\n\n{row['question']}",
            target=row["reference"],
            metadata=_metadata(row),
        )
        for row in _rows(folder, config, split)
        if not row["options"]
    )
    return Task(
        dataset=MemoryDataset(list(samples), name="storymill-repairs"),
        solver=generate(),
        scorer=f1(),
    )


@scorer(metrics=[mean(), stderr(cluster="book_id")])
def f1() -> Scorer:
    """Token F1, as `storymill score answers` has it."""

    async def scored(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        table = storymill.score([{"prediction": said, "reference": target.text}])
        at = [column["name"] for column in table["columns"]].index("f1")
        return Score(value=table["rows"][0]["scores"][at], answer=said)

    return scored


def _rows(folder: str, config: str, split: Optional[str]) -> Iterator[Dict[str, Any]]:
    return storymill.materialize(_found(folder), config, split)


def _found(folder: str) -> Path:
    """The folder, which may count from where Inspect was started: tasks run in the folder of their file.

    A shell leaves the place of the start in `PWD`. Where no shell started Inspect, the folders above
    this file, one of which is the checkout, are looked through too.
    """
    started = Path(os.environ.get("PWD", "."))
    places = [started, Path.cwd(), *Path(__file__).resolve().parents]
    published = (place / folder for place in places if (place / folder / "manifest.json").exists())
    return next(published, started / folder)


def _metadata(row: Dict[str, Any]) -> Dict[str, Any]:
    names = ("book_id", "type", "demand_words", "context_words", "canary")
    return {name: row[name] for name in names}
