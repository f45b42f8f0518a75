"""Words of one sentence as nltk 3.9's `word_tokenize` cuts them (Penn Treebank style).

A chain of rewritings, each over the result of the one before, and only then a split at spaces.
The whole text is one sentence: full stops inside it stay with their word.
"""

import re
from typing import List, Pattern, Tuple


def _without_case(letters: str) -> str:
    """A pattern for letters of either case; the long s counts as an s."""
    return "".join(
        f"[{c}{c.upper()}{'ſ' if c == 's' else ''}]" if c.isalpha() else c for c in letters
    )


def _rules(*rules: Tuple[str, str]) -> List[Tuple[Pattern[str], str]]:
    return [(re.compile(pattern), new) for pattern, new in rules]


_OPENING = _rules(
    (r"[«“‘„]|`+", r" \g<0> "),
    (r'\A"', "``"),
    (r"``", " `` "),
    (r"([ (\[{<])(?:\"|'')", r"\1 `` "),
    # An apostrophe before a single letter that is no contraction: a quoted letter.
    (r"'(?![mtsdnMTSDNſ])(\w)(?!\w)", r"' \1"),
)
_PUNCTUATION = _rules(
    (r"([:,])(\D)", r" \1 \2"),
    (r"[:,](?=\n?\Z)", r" \g<0> "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
)
_MARKS = _rules((r"[?!]", r" \g<0> "), (r"([^'])' ", r"\1 ' "), (r"\*", " * "))
_CLOSING = _rules(
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", " -- "),
    (r"\A(?s:(.*))\Z", r" \1 "),
    (r"[»”’]", r" \g<0> "),
    (r"''", " '' "),
    (r'"', " '' "),
    (r"\s+", " "),
    (r"([^' ])('[sSmMdD]?) ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_TWO = [("can", "not"), ("d", "'ye"), ("gim", "me"), ("gon", "na"), ("got", "ta"), ("lem", "me")]
_CONTRACTIONS = _rules(
    *(
        (rf"(?<!\w)({_without_case(head)})({_without_case(tail)})(?!\w)", r" \1 \2 ")
        for head, tail in [*_TWO, ("more", "'n")]
    ),
    (rf"(?<!\w)({_without_case('wan')})({_without_case('na')})(?=\s)", r" \1 \2 "),
    (rf"( {_without_case(chr(39) + 't')})({_without_case('is')})(?!\w)", r"\1 \2 "),
    (rf"( {_without_case(chr(39) + 't')})({_without_case('was')})(?!\w)", r"\1 \2 "),
)
_CLOSERS = "])}>\"'»”’ "


def words(sentence: str) -> List[str]:
    """Cuts one sentence into words."""
    text = _rewrite(sentence, _OPENING)
    text = _rewrite(_final_stop(text), _PUNCTUATION)
    text = _rewrite(_final_stop(text), _MARKS)
    return _rewrite(_rewrite(text, _CLOSING), _CONTRACTIONS).split()


def _rewrite(text: str, rules: List[Tuple[Pattern[str], str]]) -> str:
    for pattern, new in rules:
        text = pattern.sub(new, text)
    return text


def _final_stop(text: str) -> str:
    """Parts a full stop that ends the text, but for closing quotes and brackets behind it."""
    inked = text.rstrip()
    head = inked.rstrip(_CLOSERS)
    tail = text[len(head) :]
    if len(head) < 2 or head[-1] != "." or head[-2] == ".":
        return text
    closers = tail[: len(tail) - len(tail.lstrip(_CLOSERS))]
    return f"{head[:-1]} . {closers} "
