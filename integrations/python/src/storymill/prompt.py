"""A question in words, and the prompt that `storymill context --ask` prints."""

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


def prompt(row: Mapping[str, Any], context: str) -> str:
    """Context and question as one text, as `storymill evaluate` puts it to a model."""
    task, given = row.get("question") or "", row.get("distorted")
    options = row.get("options") or []
    if row.get("source_config") == "reconstruction" and given is None and "\n\n" in task:
        task, given = task.split("\n\n", 1)
    out = ""
    if context:
        out += "Between <text> and </text> stands what was read.\n\n"
        out += f"<text>\n{context}\n</text>\n\n"
    out += f"{task}\n\n"
    if options:
        out += "".join(f"{at}) {option}\n" for at, option in enumerate(options, start=1))
        out += '\nYou may explain first. End with a line that says "Answer:" and the number of one option.'
    elif given:
        out += f"<given>\n{given}\n</given>\n\nReply with the corrected text and nothing else."
    else:
        out += "Reply with the answer in as few words as possible and nothing else."
    return out.strip() + "\n"
