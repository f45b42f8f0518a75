"""LV-Eval's keyword-gated F1: first the answer's keywords must be found, then the F1 counts.

Rule: Yuan et al., "LV-Eval" (2024). The released program and the paper differ, so there are two
rules; storymill's `docs/metrics.md` has the differences.
"""

from typing import Callable, List, Optional, Sequence

from .lists import WordLists
from .text import Prf, normal, prf_of, shared

Words = Sequence[str]


def english(
    released: bool, lists: WordLists, prediction: str, reference: str, keywords: Optional[str]
) -> float:
    """Scores an English prediction; words are those of SQuAD's normal form."""
    return _stages(
        released,
        normal(prediction),
        normal(reference),
        normal(keywords or ""),
        0.2 if released else 0.4,
        lambda word: word in lists.english,
    )


def chinese(
    released: bool, lists: WordLists, prediction: Words, reference: Words, keywords: Optional[Words]
) -> float:
    """Scores a Chinese prediction that was cut into words before."""
    told, expected = cleaned(lists, prediction), cleaned(lists, reference)
    wanted = cleaned(lists, keywords or [])
    if released and not wanted:
        wanted = expected
    needed = 0.4 if released else 0.2
    return _stages(released, told, expected, wanted, needed, lambda word: word in lists.chinese)


def chinese_prf(lists: WordLists, prediction: Words, reference: Words) -> Prf:
    """Plain precision, recall and F1 of Chinese words, without a gate."""
    return _plain(cleaned(lists, prediction), cleaned(lists, reference), lambda word: True)


def cleaned(lists: WordLists, words: Words) -> List[str]:
    """Words in lower case, without punctuation; empty ones fall away."""
    return [word for word in map(lists.clean, words) if word]


def _stages(
    released: bool,
    prediction: Words,
    reference: Words,
    keywords: Words,
    needed: float,
    listed: Callable[[str], bool],
) -> float:
    if keywords:
        hits = shared(prediction, keywords, lambda word: not (released and listed(word)))
        if hits / len(keywords) < needed:
            return 0.0
    return _plain(prediction, reference, lambda word: released or not listed(word)).f1


def _plain(prediction: Words, reference: Words, counts: Callable[[str], bool]) -> Prf:
    predicted, expected = (sum(map(counts, words)) for words in (prediction, reference))
    return prf_of(shared(prediction, reference, counts), predicted, expected)
