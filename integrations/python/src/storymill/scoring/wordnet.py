"""Synonyms from the user's own WordNet files.

What counts as a form of a word follows nltk's reader: the exception lists, else one rule of
detachment, over all four parts of speech (morphy(7WN), wndb(5WN)).
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Dict, List, Set, Tuple, Union

from ..errors import DatasetError

_ENDINGS: Dict[str, List[Tuple[str, str]]] = {
    "noun": [
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ],
    "verb": [
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ],
    "adj": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "adv": [],
}
_VERSION = re.compile(r"WordNet (\S+) Copyright")


class WordNet:
    """A WordNet to look synonyms up in."""

    def __init__(self, folder: Union[str, Path]) -> None:
        folder = Path(folder)
        self.version = ""
        self._parts = []
        for part, endings in _ENDINGS.items():
            index, data = (_read(folder / f"{kind}.{part}") for kind in ("index", "data"))
            for kind, text in (("index", index), ("data", data)):
                self._check(folder / f"{kind}.{part}", text)
            offsets = {}
            for line in index.splitlines():
                if not line.startswith(b" "):
                    fields = line.split()
                    senses, pointers = int(fields[2]), int(fields[3])
                    offsets[fields[0]] = [int(at) for at in fields[6 + pointers :][:senses]]
            exceptions = {
                line.split()[0]: line.split()[1:]
                for line in _read(folder / f"{part}.exc").splitlines()
                if line.strip()
            }
            self._parts.append((offsets, data, exceptions, endings))
        self.synonyms = lru_cache(maxsize=100_000)(self._synonyms)

    def _check(self, path: Path, text: bytes) -> None:
        head = text[:4096].decode("latin-1")
        found = _VERSION.search(head) if head.startswith(" ") else None
        if not found:
            raise DatasetError(path, "it does not start with the header of a WordNet file")
        self.version = self.version or found[1]
        if found[1] != self.version:
            raise DatasetError(path, f"it is of WordNet {found[1]}, others are of {self.version}")

    def _synonyms(self, word: str) -> Set[str]:
        """All single words that share a sense with a word in lower case, itself among them."""
        found: Set[str] = set()
        for offsets, data, exceptions, endings in self._parts:
            forms = [word.encode()]
            if forms[0] in exceptions:
                forms += exceptions[forms[0]]
            else:
                heads = [
                    (word[: len(word) - len(old)], new)
                    for old, new in endings
                    if word.endswith(old)
                ]
                forms += [(head + new).encode() for head, new in heads]
            for form in forms:
                for at in offsets.get(form, ()):
                    found.update(_entry(data, at))
        return found


def _entry(data: bytes, at: int) -> List[str]:
    """The single words of the entry at an offset."""
    fields = data[at : data.index(b"\n", at)].decode().split(" ")
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    # An adjective's place is marked behind its name: `galore(ip)`.
    words = [word.split("(")[0] if word.endswith(")") else word for word in words]
    return [word for word in words if "_" not in word]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "give the folder that holds index.noun and its fellows (WordNet 3.0)"
        raise DatasetError(path, f"cannot be read: {error}", hint) from error
