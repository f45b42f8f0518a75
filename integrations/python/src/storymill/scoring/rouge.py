"""ROUGE twice: as Google's rouge-score 0.1.2 computes it, and as the package rouge 1.0.1 does.

Rule: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004). The two differ in every
step, so their numbers must not be compared; storymill's `docs/metrics.md` says how.
"""

import re
from typing import Dict, List, Sequence, Set, Tuple

from .porter import stem as porter
from .text import f1_of, shared

_WORD = re.compile("[a-z0-9]+")


def words(text: str, stem: bool) -> List[str]:
    """Runs of letters and digits of ASCII in lower case; words of more than three are stemmed."""
    found = _WORD.findall(text.lower())
    if stem:
        found = [porter(word) if len(word) > 3 else word for word in found]
    return [word for word in found if word]


def rouge(prediction: Sequence[str], reference: Sequence[str]) -> Tuple[float, float, float]:
    """F1 of ROUGE-1, ROUGE-2 and ROUGE-L over words."""
    sizes = len(prediction), len(reference)
    pairs = [list(zip(words, words[1:])) for words in (prediction, reference)]
    two = shared([" ".join(pair) for pair in pairs[0]], [" ".join(pair) for pair in pairs[1]])
    return (
        f1_of(shared(prediction, reference), *sizes),
        f1_of(two, len(pairs[0]), len(pairs[1])),
        f1_of(common_length(prediction, reference), *sizes),
    )


def common_length(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence, a row of the usual table in one number.

    Bit-parallel after Hyyrö (2004): a bit is 0 where the row steps up.
    """
    places: Dict[str, int] = {}
    for at, word in enumerate(left):
        places[word] = places.get(word, 0) | 1 << at
    used = (1 << len(left)) - 1
    state = used
    for word in right:
        up = state & places.get(word, 0)
        state = ((state + up) | (state - up)) & used
    return len(left) - bin(state).count("1")


def rouge_unique(prediction: str, reference: str) -> float:
    """ROUGE-L of the package rouge 1.0.1: over sentences, each different word once."""
    told, expected = _sentences(prediction), _sentences(reference)
    if not told or not expected:
        return 0.0
    union: Set[str] = set()
    for right in expected:
        for left in told:
            union.update(_common(right, left))
    precision = len(union) / len({word for sentence in told for word in sentence})
    recall = len(union) / len({word for sentence in expected for word in sentence})
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def _sentences(text: str) -> List[List[str]]:
    """Sentences end at every full stop. A blank one is one empty word, as in the original."""
    return [sentence.split() or [""] for sentence in text.split(".") if sentence]


def _common(left: Sequence[str], right: Sequence[str]) -> List[str]:
    """A longest common subsequence: from the end, words that are equal are taken; else the last
    word of `left` is dropped only if that keeps strictly more."""
    table = [[0] * (len(right) + 1)]
    for a in left:
        above, row = table[-1], [0]
        for at, b in enumerate(right):
            row.append(above[at] + 1 if a == b else max(above[at + 1], row[at]))
        table.append(row)
    i, j, taken = len(left), len(right), []
    while i and j:
        if left[i - 1] == right[j - 1]:
            i, j = i - 1, j - 1
            taken.append(left[i])
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return taken
