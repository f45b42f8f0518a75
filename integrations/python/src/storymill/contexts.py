"""Long contexts in LV-Eval's way, as `storymill export` writes them: JSON Lines, a file for each set and level.

A published long context is a recipe, and words are replaced in it by rules of grammar that only the program has.
So the program writes the texts, and this reads them, a line at a time.
"""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

from .errors import DatasetError
from .questions import LONG_CONTEXT, Question

TASK = {
    "en": "Answer the question from the text above, in a few words.\n\nQuestion: {}\nAnswer:",
    "zh": "请根据以上文本，用几个词回答问题。\n\n问题：{}\n回答：",
}


def long_contexts(path: Union[str, Path], context: str = "full") -> Iterator[Question]:
    """Yields the questions of a file, or of every `.jsonl` file of a folder in the order of their names."""
    for file in files(path):
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _question(file, number, _row(file, number, line), context)


def files(path: Union[str, Path]) -> List[Path]:
    """The files that a path stands for."""
    path = Path(path)
    found = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not found or not found[0].is_file():
        raise DatasetError(
            path,
            "no contexts are here",
            "storymill export FOLDER --config contexts --out DIR writes them",
        )
    return found


def _row(file: Path, number: int, line: str) -> Dict[str, Any]:
    try:
        return dict(json.loads(line))
    except (TypeError, ValueError) as error:
        raise DatasetError(file, f"line {number} is not a record: {error}") from error


def _question(file: Path, number: int, row: Dict[str, Any], context: str) -> Question:
    wanted = {"_id": str, "input": str, "context": str, "answers": list, "dataset": str}
    for name, kind in wanted.items():
        if not isinstance(row.get(name), kind):
            raise DatasetError(file, f"line {number} has no `{name}`", "is it a file of contexts?")
    language = row.get("language") or "en"
    symbols = len(row["context"])
    starts = [one["start_symbols"] for one in row.get("evidence") or []]
    demand = {"symbols": symbols - min(starts)} if starts else {}
    length = {"symbols": symbols, "level": row.get("level") or 0}
    if language == "en":
        length["words"] = row.get("length") or 0
    return Question(
        id=row["_id"],
        config=row["dataset"],
        split="test",
        form=LONG_CONTEXT,
        type=row.get("ablation") or "long-context",
        of=row["dataset"].rsplit("_", 1)[0],
        author=row["_id"].rsplit("/", 1)[-1],
        question=TASK["zh" if language == "zh" else "en"].format(row["input"]),
        options=[],
        right=None,
        references=list(row["answers"]),
        keywords=row.get("answer_keywords"),
        language=language,
        pair="",
        demand=demand,
        length=length,
        context=row["context"] if context == "full" else "",
        canary=row.get("canary") or "",
    )
