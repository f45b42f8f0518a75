"""`manifest.json` and `dataset.lock`: which files a published folder has, and what made them."""

import json
from pathlib import Path, PurePosixPath
from typing import Any, Dict, List, NamedTuple

from .errors import DatasetError

FORMAT = "storymill-dataset/"
NEWEST = 3
"""The newest format of manifests that this package knows."""
NEWEST_LOCK = 1
"""The newest format of locks that this package knows."""


class File(NamedTuple):
    """A file of a table."""

    path: Path
    config: str
    split: str
    rows: int


class Manifest(NamedTuple):
    """What a published folder holds."""

    name: str
    version: str
    canary: str
    files: List[File]
    lock: Path


def read(folder: Path) -> Manifest:
    """Reads the manifest of a folder.

    A folder without one is no dataset, or one whose publication was cut off; a newer format than
    this package knows is refused, for its columns may mean something else.
    """
    path = folder / "manifest.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DatasetError(
            path, "no such file", "is this the folder of a published dataset?"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(path, f"cannot be read: {error}") from error
    try:
        found = json.loads(text)
        number = str(found["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(path, f"the manifest is damaged: {error}") from error
    if not (number.startswith(FORMAT) and number[len(FORMAT) :].isdecimal()):
        raise DatasetError(path, "this manifest was not written by storymill")
    if int(number[len(FORMAT) :]) > NEWEST:
        raise DatasetError(
            path,
            "the dataset was written by a newer storymill",
            f"its format is {number}, this package knows {FORMAT}{NEWEST}: use the newer package",
        )
    try:
        files = [
            File(_inside(folder, path, file["path"]), file["config"], file["split"], file["rows"])
            for file in found["files"]
        ]
        lock = _inside(folder, path, found["lock"]["path"])
        return Manifest(found["name"], found["version"], found["canary"], files, lock)
    except (KeyError, TypeError) as error:
        raise DatasetError(path, f"the manifest is damaged: no {error}") from error


def configs_behind(manifest: Manifest, config: str) -> List[str]:
    """The published configs that the rows of one were made from, itself the first.

    None where the lock cannot be read: then a text is taken from any config that has one.
    """
    try:
        lock: Dict[str, Any] = json.loads(manifest.lock.read_text(encoding="utf-8"))
        if lock["format"] > NEWEST_LOCK:
            return []
        published: Dict[str, str] = lock["configs"]
        steps = [published[config]]
        for step in steps:
            for name in lock["steps"].get(step, {"reads": []})["reads"]:
                if name not in steps:
                    steps.append(name)
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [name for step in steps for name in sorted(published) if published[name] == step]


def _inside(folder: Path, manifest: Path, path: str) -> Path:
    parts = PurePosixPath(path).parts
    if not parts or parts[0] == "/" or ".." in parts or "\\" in path or ":" in path:
        raise DatasetError(manifest, f"it lists {path!r}, no file of its folder")
    return folder.joinpath(*parts)
