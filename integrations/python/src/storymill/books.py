"""The texts of books, from the table of books or from scenes, each group of rows read once."""

from collections import OrderedDict
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet as parquet

from .manifest import File
from .scoring.text import SPACE
from .tables import reading

# Rows are sorted by book, so one text serves many questions; a few serve readers that jump.
REMEMBERED_BOOKS = 4
# A book can begin in one group of rows and end in the next.
REMEMBERED_GROUPS = 2
_CONTROLS = str.maketrans({0x1C: "x", 0x1D: "x", 0x1E: "x", 0x1F: "x"})

Place = Tuple[Path, int]
"""A file, and which of its groups of rows."""


class Book:
    """A text whose words are counted from the beginning, again and again, and further each time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._counted = (0, 0)

    def words(self, symbols: int) -> int:
        """Words of the first so many symbols, between white space as Unicode has it."""
        start, words = self._counted if self._counted[0] <= symbols else (0, 0)
        more = self.text[start:symbols]
        # Python's own rule takes four controls for white space too.
        words += len(more.translate(_CONTROLS).split())
        if start and more and self.text[start - 1] not in SPACE and more[0] not in SPACE:
            words -= 1
        self._counted = symbols, words
        return words


class _Places(NamedTuple):
    """Where the rows of each book stand: whole texts, and scenes."""

    texts: Dict[str, List[Place]]
    scenes: Dict[str, List[Place]]


class Books:
    """The books of one config."""

    def __init__(self, files: List[File]) -> None:
        self._files = files
        self._places: Optional[_Places] = None
        self._groups: "OrderedDict[Place, pyarrow.Table]" = OrderedDict()
        self._books: "OrderedDict[str, Optional[Book]]" = OrderedDict()

    def get(self, name: str) -> Optional[Book]:
        """A book; none if its text is not here."""
        if name not in self._books:
            text = self._text(name)
            self._books[name] = None if text is None else Book(text)
            if len(self._books) > REMEMBERED_BOOKS:
                self._books.popitem(last=False)
        self._books.move_to_end(name)
        return self._books[name]

    def _text(self, name: str) -> Optional[str]:
        """From its row, else from its scenes if all are there."""
        if self._places is None:
            self._places = _places(self._files)
        rows = self._rows(self._places.texts.get(name, []), name, ["text"])
        if rows:
            return str(rows[-1]["text"])
        scenes: Dict[int, str] = {}
        for row in self._rows(self._places.scenes.get(name, []), name, ["scene", "text"]):
            scenes.setdefault(row["scene"], row["text"])
        if not scenes or sorted(scenes) != list(range(len(scenes))):
            return None
        return "".join(scenes[at] for at in range(len(scenes)))

    def _rows(self, places: List[Place], name: str, columns: List[str]) -> List[Dict[str, Any]]:
        rows: List[Dict[str, Any]] = []
        for place in places:
            if place not in self._groups:
                path, group = place
                with reading(path):
                    table = parquet.ParquetFile(path).read_row_group(group, ["book_id", *columns])
                self._groups[place] = table
                if len(self._groups) > REMEMBERED_GROUPS:
                    self._groups.popitem(last=False)
            table = self._groups[place]
            rows += table.filter(compute.equal(table["book_id"], name)).to_pylist()
        return rows


def _places(files: List[File]) -> _Places:
    places = _Places({}, {})
    for file in files:
        with reading(file.path):
            reader = parquet.ParquetFile(file.path)
            columns = set(reader.schema_arrow.names)
            if {"book_id", "text", "text_sha256"} <= columns:
                found = places.texts
            elif {"book_id", "text", "scene"} <= columns:
                found = places.scenes
            else:
                continue
            for group in range(reader.num_row_groups):
                names = reader.read_row_group(group, ["book_id"])["book_id"]
                for name in compute.unique(names).to_pylist():
                    found.setdefault(name, []).append((file.path, group))
    return places
