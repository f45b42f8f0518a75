"""SQuAD's normal form of an answer, and the scores that rest on it: exact match and F1.

Rule: the evaluation script of SQuAD 1.1 (Rajpurkar et al. 2016). HotpotQA's script (Yang et al.
2018) adds that `yes`, `no` and `noanswer` must match exactly.
"""

import re
import string
from collections import Counter
from typing import Callable, Iterable, List, NamedTuple, Sequence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""White space as Unicode has it; Python's own rule takes four controls too."""
_VERDICTS = (["yes"], ["no"], ["noanswer"])


def blank(text: str) -> bool:
    """Whether nothing but white space is in a text."""
    return not text.strip(SPACE)


def normal(text: str) -> List[str]:
    """The words of a text in lower case, without ASCII punctuation and articles."""
    return _ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def shared(
    left: Iterable[str], right: Iterable[str], counts: Callable[[str], bool] = lambda word: True
) -> int:
    """How many words two lists share, each as often as both have it; only those that `counts`."""
    both = Counter(left) & Counter(right)
    return sum(times for word, times in both.items() if counts(word))


class Prf(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def prf_of(same: int, predicted: int, expected: int) -> Prf:
    """The three from counts; all 0 where nothing is shared."""
    if same == 0:
        return Prf(0.0, 0.0, 0.0)
    precision, recall = same / predicted, same / expected
    return Prf(precision, recall, 2.0 * precision * recall / (precision + recall))


def f1_of(same: int, predicted: int, expected: int) -> float:
    """The harmonic mean of precision and recall; 0 where nothing is shared."""
    return prf_of(same, predicted, expected).f1


def prf(prediction: Sequence[str], reference: Sequence[str]) -> Prf:
    """Precision, recall and F1 of words in normal form."""
    return prf_of(shared(prediction, reference), len(prediction), len(reference))


def f1(prediction: Sequence[str], reference: Sequence[str]) -> float:
    """F1 of words in normal form."""
    return prf(prediction, reference).f1


def f1_hotpot(prediction: Sequence[str], reference: Sequence[str]) -> float:
    """The same with HotpotQA's rule."""
    verdict = list(prediction) in _VERDICTS or list(reference) in _VERDICTS
    if verdict and list(prediction) != list(reference):
        return 0.0
    return f1(prediction, reference)
