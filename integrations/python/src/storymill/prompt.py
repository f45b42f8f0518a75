"""A question in words, as `storymill context --ask` puts it behind its context."""

import unicodedata
from typing import Any, Mapping


def plain(text: str) -> str:
    """A text without control characters, which could move a terminal's cursor."""
    return "".join(
        symbol
        if symbol in "\n\t" or unicodedata.category(symbol) != "Cc"
        else "\N{REPLACEMENT CHARACTER}"
        for symbol in text
    )


def words(row: Mapping[str, Any]) -> str:
    """The task, the text that it is about, the options with their numbers."""
    out = plain(row.get("question") or "") + "\n"
    if row.get("distorted") is not None:
        out += f"\n{plain(row['distorted'])}\n"
    for at, option in enumerate(row.get("options") or [], start=1):
        out += f"\n  {at}) {plain(option)}"
    return out.rstrip()


def prompt(row: Mapping[str, Any], context: str) -> str:
    """Context and question as one text."""
    return f"{context}\n\n{words(row)}\n"
