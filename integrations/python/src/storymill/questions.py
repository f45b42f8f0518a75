"""What is asked, in one form for every table: options, free text, long contexts, verdicts on claims.

Tables differ in their columns; whoever puts questions to a model wants the same few things of each: what is
shown, what is asked, what is right, how far back the answer lies, and what is kept together in a resampling.
"""

import unicodedata
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

OPTIONS = "options"
FREE_TEXT = "free-text"
LONG_CONTEXT = "long-context"
VERDICT = "verdict"
FORMS = (OPTIONS, FREE_TEXT, LONG_CONTEXT, VERDICT)

CONTEXTS = ("full", "none")
"""What may be shown: the context as published, or nothing."""

UNITS = ("scenes", "words", "symbols", "tokens")
"""What lengths are counted in."""


class Question(NamedTuple):
    """A question as it is put to a model."""

    id: str
    config: str
    split: str
    form: str
    type: str
    of: str
    """The book, the set of long contexts, or the book of a claim."""
    author: str
    """The author, or what else is kept together in a resampling."""
    question: str
    """The task in words, with the text that is to be worked on, without the options."""
    options: List[str]
    right: Optional[int]
    """Position of the right option, from 0; for a verdict 0 is true and 1 is false."""
    references: List[str]
    """Right answers in words, each by itself."""
    keywords: Optional[str]
    """The words of the answer that matter, if somebody said."""
    language: str
    pair: str
    """The pair of claims that it is one of; blank if it is none."""
    demand: Dict[str, int]
    """How far back the answer lies, by unit: `scenes`, `words`, `symbols`, `tokens`."""
    length: Dict[str, int]
    """How long the context is, by unit."""
    context: str
    """What is read before it is asked; blank where nothing is shown."""
    canary: str
    claim: str = ""
    """The claim of a verdict, which must not be taken for the verdict itself."""
    made_by: str = ""
    """Who made the retellings in it: `rule`, `model` or `both`; blank where nobody said."""


def plain(text: str) -> str:
    """A text without control characters, which could move a terminal's cursor."""
    return "".join(
        symbol
        if symbol in "\n\t" or unicodedata.category(symbol) != "Cc"
        else "\N{REPLACEMENT CHARACTER}"
        for symbol in text
    )


def form_of(row: Mapping[str, Any]) -> Optional[str]:
    """The form of a published row; none if it asks nothing."""
    if isinstance(row.get("context_id"), str):
        return LONG_CONTEXT
    if not isinstance(row.get("question_id"), str) or "context_symbols" not in row:
        return None
    return OPTIONS if row.get("options") else FREE_TEXT


def of_book(row: Mapping[str, Any], config: str, split: str, author: str, context: str) -> Question:
    """A row about a book, with what is read before it."""
    options = list(row.get("options") or [])
    right = row["answer"] if options else None
    reference = row.get("reference")
    if reference is None:
        reference = options[right] if right is not None else row["answer"]
    task = plain(row.get("question") or "")
    given = row.get("given") or []
    for letter, text in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", given):
        task += f"\n\n{letter}. {plain(text)}" if len(given) > 1 else f"\n\n{plain(text)}"
    if row.get("distorted") is not None:
        task += f"\n\n{plain(row['distorted'])}"
    return Question(
        id=row["question_id"],
        config=config,
        split=row.get("split") or split,
        form=OPTIONS if options else FREE_TEXT,
        type=row.get("type") or "reconstruction",
        of=row["book_id"],
        author=author or row["book_id"],
        question=task.rstrip(),
        options=[plain(option) for option in options],
        right=right,
        references=[reference],
        keywords=None,
        language="en",
        pair="",
        # Where none of the above is right there is no evidence: the answer lies nowhere.
        demand={} if row.get("evidence") == [] else lengths(row, "demand"),
        length=lengths(row, "context"),
        context=context,
        canary=row.get("canary") or "",
        made_by=row.get("made_by") or "",
    )


def lengths(row: Mapping[str, Any], what: str) -> Dict[str, int]:
    """The columns of a length by unit. `tokens` is the newest encoding that the table counts."""
    found = {
        unit: row[f"{what}_{unit}"]
        for unit in UNITS[:3]
        if row.get(f"{what}_{unit}") is not None
    }
    tokens = [name for name in row if name.startswith(f"{what}_tokens_") and row[name] is not None]
    for name in tokens[-1:]:
        found["tokens"] = row[name]
    return found


def numbered(question: Question) -> str:
    """The task and its options with their numbers, as `storymill inspect --show question` prints them."""
    out = question.question + "\n"
    for at, option in enumerate(question.options, start=1):
        out += f"\n  {at}) {option}"
    return out.rstrip()


def lettered(question: Question) -> str:
    """The task and its options with letters, for harnesses that want a letter."""
    out = question.question + "\n"
    for at, option in enumerate(question.options):
        out += f"\n{chr(ord('A') + at)}. {option}"
    return out.rstrip()


def shown(question: Question, task: str) -> str:
    """The context and, behind it, the task; the task alone where nothing is shown."""
    return f"{question.context}\n\n{task}" if question.context else task
