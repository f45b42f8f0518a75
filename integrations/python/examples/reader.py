"""What the example readers share: the lines of `storymill evaluate --reader`, and a model that picks an answer.

A reader has `reset()`, `read(scene, text)` and `excerpt(question, options)`: the text that its model sees.
"""

import argparse
import functools
import json
import os
import re
import sys
import urllib.request
from typing import Any, Dict, FrozenSet, List

Words = FrozenSet[str]


@functools.lru_cache(maxsize=None)
def words(text: str) -> Words:
    return frozenset(re.findall(r"\w{4,}", text.lower()))


def paragraphs(text: str) -> List[str]:
    return [part for part in re.split(r"\n\s*\n", text) if part.strip()]


def overlap(option: str, excerpt: str) -> int:
    """How many words an option shares with a paragraph of the excerpt, with the best one."""
    return max((len(words(option) & words(part)) for part in paragraphs(excerpt)), default=0)


def mock(excerpt: str, question: str, options: List[str]) -> Dict[str, Any]:
    """No model: the option with most words in a paragraph of the excerpt, or the paragraph nearest to the question."""
    choices = options or paragraphs(excerpt) or [""]
    near = [overlap(option, excerpt if options else question) for option in choices]
    return {"answer": choices[near.index(max(near))], "tokens": len(excerpt.split())}


def ask_model(args: argparse.Namespace, excerpt: str, question: str, options: List[str]) -> Dict[str, Any]:
    """An endpoint that speaks OpenAI's chat completions."""
    listed = "\n".join(f"{at}) {option}" for at, option in enumerate(options, 1))
    end = 'End with a line that says "Answer:" and the number of one option.' if options else "Reply with the answer alone."
    prompt = f"This is what you remember of a book:\n\n{excerpt}\n\n{question}\n\n{listed}\n\n{end}"
    body = {"model": args.model, "temperature": 0, "messages": [{"role": "user", "content": prompt}]}
    headers = {"Content-Type": "application/json"}
    if os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {os.environ['OPENAI_API_KEY']}"
    request = urllib.request.Request(f"{args.url}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        said = json.load(response)
    usage = said.get("usage", {})
    return {
        "answer": said["choices"][0]["message"]["content"],
        "tokens": usage.get("prompt_tokens"),
        "written": usage.get("completion_tokens"),
    }


def arguments(about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--mock", action="store_true", help="ask no model")
    parser.add_argument("--url", default="http://127.0.0.1:8080/v1", help="an endpoint that speaks as OpenAI's")
    parser.add_argument("--model", default="default", help="the model's name there")
    return parser


def serve(reader: Any, name: str, args: argparse.Namespace) -> None:
    """Replies to each line with one line, until the input ends."""
    # What libraries print must not be taken for a reply.
    replies, sys.stdout = sys.stdout, sys.stderr
    for stream in (sys.stdin, replies):
        stream.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        said = json.loads(line)
        reply: Dict[str, Any] = {}
        if "reset" in said:
            reader.reset()
            reply = {"name": name, "version": "1"}
        elif "read" in said:
            reader.read(said["read"]["scene"], said["read"]["text"])
        else:
            question, options = said["ask"]["question"], said["ask"].get("options", [])
            excerpt = reader.excerpt(question, options)
            reply = mock(excerpt, question, options) if args.mock else ask_model(args, excerpt, question, options)
        print(json.dumps(reply), file=replies, flush=True)
