"""Writes task files for lm-evaluation-harness, one for each config and form that a folder's manifest has.

    python -m storymill.lm_eval tasks out/quickstart
    lm_eval --include_path tasks --tasks storymill_quickstart_eval_options --model ...

The files name the folder by its full path and hold no text of it. They are made again when the dataset changes.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from . import curve
from .contexts import files
from .dataset import Dataset
from .errors import DatasetError, StorymillError
from .harness import MEASURES, questions
from .questions import CONTEXTS, FREE_TEXT, LONG_CONTEXT, OPTIONS, UNITS, VERDICT

FUNCTIONS = "storymill_tasks"
_CHOOSING = (OPTIONS, VERDICT)
_LONGEST_ANSWER = 1024

Task = Dict[str, Any]


def write(
    out: Union[str, Path],
    folder: Union[str, Path, None] = None,
    contexts: Union[str, Path, None] = None,
    claims: Union[str, Path, None] = None,
    context: str = "full",
    by: str = "words",
    split: Optional[str] = None,
) -> List[str]:
    """Writes the task files, and gives back the names of the tasks.

    What asks nothing is refused, and so is a unit that none of a task's questions has.

    `folder` is a published folder, `contexts` what `storymill export` wrote, `claims` a set of claim pairs.
    `context` is `full` or `none`; `by` is the unit of the curve.
    """
    if folder is None and contexts is None and claims is None:
        raise StorymillError("nothing to ask: name a published folder (or contexts, or claims)")
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    functions = "from storymill.harness import chosen, docs, pairs, text, written  # noqa: F401\n"
    (out / f"{FUNCTIONS}.py").write_text(functions, encoding="utf-8")
    names = []
    for name, task in _tasks(folder, contexts, claims, split):
        task.update(context=context, by=by)
        bins = _bins(task)
        if context == "none":
            name += "_none"
        (out / f"{name}.yaml").write_text(_yaml(name, task, bins), encoding="utf-8")
        names.append(name)
    if not names:
        raise DatasetError(folder or out, "nothing here asks anything")
    return names


def _tasks(
    folder: Union[str, Path, None],
    contexts: Union[str, Path, None],
    claims: Union[str, Path, None],
    split: Optional[str],
) -> List[Tuple[str, Task]]:
    found: List[Tuple[str, Task]] = []

    def add(form: str, place: Union[str, Path], *parts: str, **more: Any) -> None:
        name = "_".join(["storymill", *parts, form.replace("-", "_")])
        found.append((name, {"form": form, "folder": str(Path(place).resolve()), **more}))

    if folder is not None:
        data = Dataset(folder)
        for config in data.configs:
            for form in data.forms(config):
                # Its contexts are recipes: they are asked from what `materialize` wrote.
                if form in (OPTIONS, FREE_TEXT) and split in (None, *data.splits(config)):
                    add(form, folder, data.manifest.name, config, config=config, split=split)
    if contexts is not None:
        for file in files(contexts):
            add(LONG_CONTEXT, file, file.stem)
    if claims is not None:
        add(VERDICT, claims, Path(claims).resolve().name)
    return found


def _bins(task: Task) -> List[str]:
    """The bins of the curve that the questions of a task fall into, the nearest first."""
    wanted = {key: task[key] for key in ("form", "folder", "config", "split") if key in task}
    # Where the answer to a claim lies is counted from the end of the book, so the book is read.
    context = "full" if task["form"] == VERDICT else "none"
    by = task["by"]
    lows: Set[int] = set()
    units: Set[str] = set()
    for question in questions(**wanted, context=context):
        units.update(question.demand)
        if by in question.demand:
            lows.add(curve.low(question.demand[by]))
    if units and not lows:
        there = ", ".join(sorted(units))
        raise DatasetError(task["folder"], f"no unit {by!r}", f"there are {there}")
    return [f"{by}_{curve.name(low)}" for low in sorted(lows)]


def _yaml(name: str, task: Task, bins: List[str]) -> str:
    """The file. Values are JSON, which is YAML."""
    choosing = task["form"] in _CHOOSING
    lines = [
        "# Written by `python -m storymill.lm_eval`; write it again rather than change it.",
        f"task: {json.dumps(name)}",
        'tag: ["storymill"]',
        f"custom_dataset: !function {FUNCTIONS}.docs",
        "dataset_kwargs:",
        *(f"  {key}: {json.dumps(value)}" for key, value in task.items()),
        "test_split: test",
        "num_fewshot: 0",
        f"output_type: {'multiple_choice' if choosing else 'generate_until'}",
        f"doc_to_text: !function {FUNCTIONS}.text",
    ]
    if choosing:
        lines += ["doc_to_choice: choices", "doc_to_target: right"]
    else:
        lines += [
            'doc_to_target: "{{references[0]}}"',
            "generation_kwargs:",
            "  until: []",
            "  do_sample: false",
            f"  max_gen_toks: {_LONGEST_ANSWER}",
        ]
    lines += [f"process_results: !function {FUNCTIONS}.{'chosen' if choosing else 'written'}"]
    lines += ["metric_list:"]
    for metric in [*MEASURES[task["form"]], *bins]:
        lines += _metric(metric, "mean")
    if task["form"] == VERDICT:
        lines += _metric("pair_acc", f"!function {FUNCTIONS}.pairs")
    return "\n".join([*lines, "metadata:", "  version: 1.0", ""])


def _metric(name: str, aggregation: str) -> List[str]:
    return [
        f"  - metric: {json.dumps(name)}",
        f"    aggregation: {aggregation}",
        "    higher_is_better: true",
    ]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command."""
    reader = argparse.ArgumentParser("python -m storymill.lm_eval", description=__doc__)
    reader.formatter_class = argparse.RawDescriptionHelpFormatter
    reader.add_argument("out", help="the folder for the task files")
    reader.add_argument("folder", nargs="?", help="a published folder")
    reader.add_argument("--contexts", help="a file or folder that `storymill export` wrote")
    reader.add_argument("--claims", help="the folder of a set of claim pairs")
    reader.add_argument("--context", choices=CONTEXTS, default="full", help="what is shown")
    reader.add_argument("--by", choices=UNITS, default="words", help="unit of the curve")
    reader.add_argument("--split", help="one split only")
    try:
        names = write(**vars(reader.parse_args(arguments)))
    except StorymillError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("\n".join(names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
