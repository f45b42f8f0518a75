"""METEOR as nltk 3.9 computes it: words matched exactly, by stem, then by synonym.

Rule: Lavie and Agarwal, "METEOR" (2007), with nltk's own alignment: each word of the prediction,
from the last to the first, takes the last free equal word of the reference. The third stage looks
up the *stems* that the second one left over, and is left out without a WordNet.
"""

from typing import Dict, List, Optional, Sequence

from .porter import stem
from .wordnet import WordNet

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weight of recall against precision, shape and weight of the penalty for scattered matches."""


def meteor(
    prediction: Sequence[str], reference: Sequence[str], wordnet: Optional[WordNet]
) -> float:
    """Scores the words of a prediction against those of a reference."""
    told, expected = [word.lower() for word in prediction], [word.lower() for word in reference]
    pairs: List[Optional[int]] = [None] * len(told)
    taken = [False] * len(expected)
    _match_equal(told, expected, pairs, taken)
    if None in pairs and False in taken:
        left = [stem(word) if pair is None else "" for word, pair in zip(told, pairs)]
        right = ["" if used else stem(word) for word, used in zip(expected, taken)]
        _match_equal(left, right, pairs, taken)
        if wordnet is not None and None in pairs and False in taken:
            _match_synonyms(left, right, pairs, taken, wordnet)
    return _value(pairs, len(told), len(expected))


def _match_equal(
    prediction: Sequence[str],
    reference: Sequence[str],
    pairs: List[Optional[int]],
    taken: List[bool],
) -> None:
    places = _places(reference, taken)
    for at in reversed(range(len(prediction))):
        free = places.get(prediction[at])
        if pairs[at] is None and free:
            to = free.pop()
            pairs[at] = to
            taken[to] = True


def _match_synonyms(
    prediction: Sequence[str],
    reference: Sequence[str],
    pairs: List[Optional[int]],
    taken: List[bool],
    wordnet: WordNet,
) -> None:
    """Each word takes the last free word that is one of its synonyms."""
    places = _places(reference, taken)
    for at in reversed(range(len(prediction))):
        if pairs[at] is not None:
            continue
        free = [places[word] for word in wordnet.synonyms(prediction[at]) if places.get(word)]
        if free:
            pairs[at] = max(free, key=lambda found: found[-1]).pop()


def _places(reference: Sequence[str], taken: Sequence[bool]) -> Dict[str, List[int]]:
    """The free places of each word, the last one on top."""
    places: Dict[str, List[int]] = {}
    for at, word in enumerate(reference):
        if not taken[at]:
            places.setdefault(word, []).append(at)
    return places


def _value(pairs: Sequence[Optional[int]], predicted: int, expected: int) -> float:
    matches = [(at, to) for at, to in enumerate(pairs) if to is not None]
    if not matches:
        return 0.0
    breaks = zip(matches, matches[1:])
    chunks = 1 + sum((c, d) != (a + 1, b + 1) for (a, b), (c, d) in breaks)
    precision, recall = len(matches) / predicted, len(matches) / expected
    mean = (precision * recall) / (ALPHA * precision + (1.0 - ALPHA) * recall)
    penalty: float = GAMMA * (chunks / len(matches)) ** BETA
    return (1.0 - penalty) * mean
