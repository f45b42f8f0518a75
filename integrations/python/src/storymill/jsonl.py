"""Writes a config of questions as JSON Lines, every row with its context.

    python -m storymill.jsonl out/quickstart eval eval.jsonl --split test --limit 100

A line is the published row, then `context`, and with `--ask` the whole prompt as `prompt`. A few books are in memory at a
time, and the file is there whole or not at all. Long contexts are written by `storymill export`.
"""

import argparse
import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import Optional, Sequence, Union

from .dataset import Dataset
from .errors import DatasetError, StorymillError


def write(
    folder: Union[str, Path],
    config: str,
    out: Union[str, Path],
    split: Optional[str] = None,
    limit: Optional[int] = None,
    ask: bool = False,
) -> int:
    """Writes the first `limit` rows, or all, and gives back how many there were."""
    out = Path(out)
    rows = Dataset(folder).materialize(config, split, ask=ask)
    unfinished = out.with_name(f".{out.name}.part")
    count = 0
    try:
        with open(unfinished, "w", encoding="utf-8", newline="\n") as lines:
            for row in islice(rows, limit):
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
            lines.flush()
            os.fsync(lines.fileno())
        os.replace(unfinished, out)
    except OSError as error:
        raise DatasetError(out, f"cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command."""
    reader = argparse.ArgumentParser("python -m storymill.jsonl", description=__doc__)
    reader.formatter_class = argparse.RawDescriptionHelpFormatter
    reader.add_argument("folder", help="a published folder")
    reader.add_argument("config", help="a config of questions: eval, read-along, reconstruction")
    reader.add_argument("out", help="the file")
    reader.add_argument("--split", help="one split only")
    reader.add_argument("--limit", type=_count, help="so many rows at most")
    reader.add_argument("--ask", action="store_true", help="with the whole prompt")
    told = reader.parse_args(arguments)
    try:
        count = write(**vars(told))
    except StorymillError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{told.out}: {count} questions, {Path(told.out).stat().st_size} bytes")
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
