"""Porter's stemmer in the variant that nltk uses by default.

Rule: M. F. Porter, "An algorithm for suffix stripping", Program 14.3 (1980), with nltk's
extensions: a short list of irregular forms, `ies` and `ied` after a single letter, `y` only after
a consonant, `alli` before `bli`, `fulli`, `logi`.
"""

from functools import lru_cache
from typing import List, Sequence, Tuple

_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

_LONG = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_MIDDLE = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_SHORT = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a word, in lower case."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if len(word) < 3:
        return lower
    lower = _past_and_ing(_plurals(lower))
    if lower.endswith("y") and len(lower) > 2 and _kinds(lower[:-1])[-1]:
        lower = lower[:-1] + "i"
    if lower.endswith("alli") and _measure(lower[:-4]) > 0:
        lower = lower[:-2]
    if lower.endswith("logi"):
        lower = lower[:-1] if _measure(lower[:-3]) > 0 else lower
    else:
        lower = _first_rule(lower, _LONG)
    lower = _final_e(_short_endings(_first_rule(lower, _MIDDLE)))
    if lower.endswith("ll") and _measure(lower[:-1]) > 1:
        lower = lower[:-1]
    return lower


def _plurals(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) != 4):
        return word[:-2]
    if word.endswith("ies") or (word.endswith("s") and not word.endswith("ss")):
        return word[:-1]
    return word


def _past_and_ing(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and not all(_kinds(word[: -len(ending)])):
            word = word[: -len(ending)]
            break
    else:
        return word
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 1 and word[-1] == word[-2] and _kinds(word)[-1]:
        return word if word[-1] in "lsz" else word[:-1]
    if _measure(word) == 1 and _short(word):
        return word + "e"
    return word


def _first_rule(word: str, rules: Sequence[Tuple[str, str]]) -> str:
    """The first ending that fits decides, whether or not enough of the word is left."""
    for ending, new in rules:
        if word.endswith(ending):
            head = word[: -len(ending)]
            return head + new if _measure(head) > 0 else word
    return word


def _short_endings(word: str) -> str:
    for ending in _SHORT:
        if word.endswith(ending):
            head = word[: -len(ending)]
            fits = ending != "ion" or head.endswith(("s", "t"))
            return head if fits and _measure(head) > 1 else word
    return word


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    head = word[:-1]
    size = _measure(head)
    return head if size > 1 or (size == 1 and not _short(head)) else word


def _kinds(word: str) -> List[bool]:
    """For each letter whether it is a consonant: no vowel, and no `y` after a consonant."""
    kinds: List[bool] = []
    for letter in word:
        after = bool(kinds) and kinds[-1]
        kinds.append(letter not in "aeiou" and not (letter == "y" and after))
    return kinds


def _measure(word: str) -> int:
    """Porter's m: how often a vowel is followed by a consonant."""
    kinds = _kinds(word)
    return sum(not before and after for before, after in zip(kinds, kinds[1:]))


def _short(word: str) -> bool:
    """Porter's *o, or nltk's addition of a vowel and a consonant that are the whole word."""
    kinds = _kinds(word)
    if len(word) == 2:
        return not kinds[0] and kinds[1]
    return len(word) > 2 and kinds[-3:] == [True, False, True] and word[-1] not in "wxy"
