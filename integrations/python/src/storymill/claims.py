"""Claim pairs of a set's folder (docs/claims.md): is a claim about a whole book true?"""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

from .errors import DatasetError
from .questions import VERDICT, Question

TASK = (
    "A claim about the text: {}\n\n"
    "Is the claim true or false? Answer TRUE if all of it is true by the text, FALSE if any of it is false."
)


def verdicts(folder: Union[str, Path], context: str = "full") -> Iterator[Question]:
    """Yields both claims of every pair, the book before each, one book in memory at a time."""
    folder = Path(folder)
    text, of = "", ""
    for pair in sorted(_pairs(folder / "pairs.jsonl"), key=lambda pair: (pair["book"], pair["id"])):
        if pair["book"] != of and context == "full":
            text = _text(folder, pair["book"])
        of = pair["book"]
        for right, field in enumerate(("true_claim", "false_claim")):
            yield Question(
                id=f"{pair['id']}/{'true' if right == 0 else 'false'}",
                config=folder.resolve().name,
                split="test",
                form=VERDICT,
                type="claim",
                of=of,
                author=of,
                question=TASK.format(pair[field]),
                options=["TRUE", "FALSE"],
                right=right,
                references=["TRUE" if right == 0 else "FALSE"],
                keywords=None,
                language="en",
                pair=pair["id"],
                demand=_demand(pair, field, text),
                length={"symbols": len(text)} if text else {},
                context=text,
                canary="",
                claim=pair[field],
            )


def _demand(pair: Dict[str, Any], field: str, text: str) -> Dict[str, int]:
    """From the end of the book back to where it decides; none where the pair does not say."""
    starts = [one["start"] for one in pair.get(field.replace("claim", "evidence")) or []]
    return {"symbols": len(text) - min(starts)} if starts and text else {}


def _pairs(path: Path) -> List[Dict[str, Any]]:
    if not path.is_file():
        raise DatasetError(
            path, "no such file", "a set of claims is a folder; a set on a shelf stays there"
        )
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            pair = json.loads(line)
            pairs.append({**pair, **{name: pair[name] for name in ("id", "book", "true_claim")}})
            pair["false_claim"]
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(path, f"line {number} is not a pair of claims: {error}") from error
    return pairs


def _text(folder: Path, book: str) -> str:
    path = folder / "books" / f"{book}.txt"
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(path, f"cannot be read: {error}") from error
