"""NoCha's pair accuracy: a pair counts only if both its true and its false claim were judged right.

Rule: Karpinska et al., "One Thousand and One Pairs" (2024), section 3 and appendix D. The data
holds three words in place of an answer where a model was never asked; such a pair leaves the
denominator. An answer without a verdict stays and counts as wrong.
"""

from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from ..errors import ScoreError
from .rows import load
from .text import SPACE

Pair = Tuple[str, int]

_NEVER_ASKED = ("SKIPPED", "PROHIBITED_CONTENT", "EMPTY_RESPONSE")
_PREFIX = "response-"
_NEEDED: Dict[str, Tuple[type, ...]] = {
    "book_title": (str,),
    "index": (int,),
    "claim": (str,),
    "type": (bool, str),
}


class Judged(NamedTuple):
    """One claim, which pair it belongs to, and what a system said of it."""

    pair: Pair
    truth: bool
    verdict: Optional[str]


def score_claims(path: Union[str, Path], common: Sequence[str] = ()) -> Dict[str, Any]:
    """Scores every `response-*` field of a file as NoCha's `data_sample.json`.

    `common` names the systems whose answered pairs make up the common set. The result is that of
    `storymill score claims FILE --format json`.
    """
    rows = load(path)
    if not isinstance(rows, list):
        raise ScoreError(None, "a file of claims is a list")
    if not rows:
        raise ScoreError(None, "there are no rows")
    for at, row in enumerate(rows, start=1):
        _check(at, row)
    names = list(dict.fromkeys(key for row in rows for key in row if key.startswith(_PREFIX)))
    judged = {name: [_judge(row, name) for row in rows] for name in names}
    for name in common:
        if name not in judged:
            raise ScoreError(None, f"no row has a field `{name}`")
    shared = _common_set([judged[name] for name in common]) if common else None
    books = list(dict.fromkeys(row["book_title"] for row in rows))
    gaps, pairs = _gaps(rows)
    return {
        "variant": {"name": "nocha-pair-accuracy", "version": 1},
        "rows": len(rows),
        "pairs": pairs,
        "gaps": gaps,
        "common": None if shared is None else len(shared),
        "systems": [_system(name, judged[name], books, shared) for name in names],
    }


def verdict(answer: str, claim: str) -> Optional[str]:
    """Reads `true`, `false` or `fail` out of an answer; none if it was never given."""
    if answer.strip(SPACE) in _NEVER_ASKED:
        return None
    head, opened, rest = answer.partition("<answer>")
    told, closed, _ = rest.partition("</answer>")
    if opened and closed:
        plain = told.strip(SPACE).lower()
        if plain in ("true", "false"):
            return plain
        found = _first_verdict(told, claim)
        if found:
            return found
    return _first_verdict(answer, claim) or "fail"


def _first_verdict(text: str, claim: str) -> Optional[str]:
    text = text.lower().replace("true or false", "")
    claim = claim.strip(SPACE).lower()
    if claim:
        text = text.replace(claim, "")
    text = text.replace("not true", "false")
    found = {text.find(word): word for word in ("true", "false") if word in text}
    return found[min(found)] if found else None


def _check(at: int, row: Any) -> None:
    if not isinstance(row, dict):
        raise ScoreError(None, f"row {at}: a claim is an object with fields")
    for field, kinds in _NEEDED.items():
        value = row.get(field)
        # In Python a truth is a number too.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ScoreError(None, f"row {at}: no `{field}`, or not what it should be")
    if str(row["type"]).lower() not in ("true", "false"):
        raise ScoreError(None, f"row {at}: `type` is true or false, not {row['type']}")
    for name, answer in row.items():
        if name.startswith(_PREFIX) and not isinstance(answer, (str, type(None))):
            raise ScoreError(None, f"row {at}: `{name}` is a text")


def _truth(row: Dict[str, Any]) -> bool:
    return str(row["type"]).lower() == "true"


def _judge(row: Dict[str, Any], name: str) -> Judged:
    answer = row.get(name)
    said = None if answer is None else verdict(answer, row["claim"])
    return Judged((row["book_title"], row["index"]), _truth(row), said)


def _system(
    name: str, judged: List[Judged], books: List[str], shared: Optional[Set[Pair]]
) -> Dict[str, Any]:
    def of_book(book: str) -> Dict[str, Any]:
        return _accuracy([claim for claim in judged if claim.pair[0] == book])

    within = None if shared is None else [claim for claim in judged if claim.pair in shared]
    return {
        "name": name,
        "all": _accuracy(judged),
        "common": None if within is None else _accuracy(within),
        "books": [{"book": book, "accuracy": of_book(book)} for book in books],
        "verdicts": [claim.verdict for claim in judged],
    }


def _accuracy(claims: List[Judged]) -> Dict[str, Any]:
    sides: Dict[bool, List[bool]] = {True: [], False: []}
    pairs: Dict[Pair, Dict[bool, Optional[bool]]] = {}
    for claim in claims:
        right = None if claim.verdict is None else claim.verdict == str(claim.truth).lower()
        if right is not None:
            sides[claim.truth].append(right)
        pairs.setdefault(claim.pair, {})[claim.truth] = right
    halves = [(pair.get(True), pair.get(False)) for pair in pairs.values()]
    whole = [bool(yes and no) for yes, no in halves if yes is not None and no is not None]
    return {
        "pairs": _share(whole),
        "true_claims": _share(sides[True]),
        "false_claims": _share(sides[False]),
        "not_asked": sum(claim.verdict is None for claim in claims),
        "failed": sum(claim.verdict == "fail" for claim in claims),
    }


def _share(right: Iterable[bool]) -> Dict[str, int]:
    counted = list(right)
    return {"correct": sum(counted), "total": len(counted)}


def _common_set(systems: List[List[Judged]]) -> Set[Pair]:
    """The pairs that every one of these systems answered in full."""
    answered: Dict[Pair, int] = {}
    for claims in systems:
        for claim in claims:
            if claim.verdict is not None:
                answered[claim.pair] = answered.get(claim.pair, 0) + 1
    return {pair for pair, halves in answered.items() if halves == 2 * len(systems)}


def _gaps(rows: List[Dict[str, Any]]) -> Tuple[List[Dict[str, Any]], int]:
    """Pairs without exactly one true and one false claim, and how many have them."""
    halves: Dict[Pair, List[int]] = {}
    for row in rows:
        halves.setdefault((row["book_title"], row["index"]), [0, 0])[_truth(row)] += 1
    gaps = [
        {
            "book": book,
            "index": index,
            "what": f"{yes} true and {no} false claims instead of one each",
        }
        for (book, index), (no, yes) in sorted(halves.items())
        if (no, yes) != (1, 1)
    ]
    return gaps, len(halves) - len(gaps)
