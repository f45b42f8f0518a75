"""Checks the receipt of an evaluation of a private set: python check_receipt.py RECEIPT [--statement FILE] [REVEAL ...]

Needs `pip install blake3 cryptography`, and check_statement.py beside it. Written from docs/private-sets.md alone.
`--statement FILE` names the statement that the receipt is of: then the pairs that were asked, and those that were revealed, are looked
for in it. `--signer KEY` names the key of signatures that the maintainers have published.
"""

import argparse
import sys

import check_statement as of
from check_statement import fields, is_anything, is_count, is_digest, is_signature, is_text, listed, maybe

RECEIPT = "storymill receipt 1"
MODEL = {"id": is_text, "name": is_text, "endpoint": maybe(is_text), "parameters": is_digest}
RESULTS = {
    "name": is_text,
    "model": maybe(fields(MODEL)),
    "settings": is_anything,
    "prompts": listed(is_digest),
    "requests": is_digest,
    "answers": is_digest,
}
SCORE = {
    "model": is_text,
    "setting": is_text,
    "pairs": is_count,
    "right": is_count,
    "share_ppm": is_count,
    "interval_ppm": maybe(lambda value: listed(is_count)(value) and len(value) == 2),
}
FIELDS = {
    "format": is_text,
    "set": is_text,
    "version": is_text,
    "statement": is_digest,
    "root": is_digest,
    "asked": listed(is_digest),
    "questions": is_digest,
    "results": listed(fields(RESULTS)),
    "scores": listed(fields(SCORE)),
    "date": is_text,
    "program": is_text,
    "signer": is_digest,
    "signature": is_signature,
}


def parse_receipt(text):
    return of.parse(text, {RECEIPT: FIELDS})


def are_unlike(items):
    return bool(items) and len(set(items)) == len(items)


def is_within(score):
    low, high = score["interval_ppm"] or [0, 1_000_000]
    return low <= score["share_ppm"] <= high


def alone(receipt):
    """What does not hold of a receipt by itself."""
    asked, scores = receipt["asked"], receipt["scores"]
    rules = {
        "the version is not three numbers, as in 1.0.0": of.version(receipt["version"]),
        "the signature is not that of whom it names": of.is_signed(receipt, "receipt"),
        "no pair was asked": asked,
        "the pairs that were asked are not sorted, or one stands twice": of.is_rising(asked),
        "the digest of the questions is not that of the pairs that were asked": receipt["questions"] == of.root(asked),
        "there are no results, or some stand twice": are_unlike([one["name"] for one in receipt["results"]]),
        "there is no score, or a system has two": are_unlike([(one["model"], one["setting"]) for one in scores]),
        "more is right than was answered, or more was answered than was asked": all(
            one["right"] <= one["pairs"] <= len(asked) for one in scores
        ),
        "a share is not that of its counts": all(
            one["share_ppm"] == (2_000_000 * one["right"] + max(one["pairs"], 1)) // (2 * max(one["pairs"], 1)) for one in scores
        ),
        "a share lies outside of its interval": all(is_within(one) for one in scores),
        "the day is not one, as in 2026-11-28": of.is_day(receipt["date"]),
    }
    return [wrong for wrong, holds in rules.items() if not holds]


def against(receipt, statement):
    """What does not hold of a receipt with the statement that it names."""
    last = statement.get("valid_until", receipt["date"])
    same = all(receipt[field] == statement[field] for field in ("set", "version", "root"))
    rules = {
        "it is of another statement": same and receipt["statement"] == of.name(statement),
        "a pair was asked that the statement does not hold": set(receipt["asked"]) <= set(statement["leaves"]),
        "the statement was no longer valid on the day of the receipt": receipt["date"] <= last,
        "it is not signed by one of those whom the statement names": receipt["signer"] in statement.get("signers", []),
    }
    return [wrong for wrong, holds in rules.items() if not holds]


def asked(reveal, receipt, statement):
    """Why a revealed pair was not in the set, or not asked; none if it was both."""
    if not statement:
        return "is checked with the statement too, and none is here"
    leaf = of.leaf(reveal).hex()
    if reveal["set"] != statement["set"] or leaf not in statement["leaves"]:
        return "is not what the set held"
    return None if leaf in receipt["asked"] else "was in the set and was not asked"


def check(receipt, statement=None, reveals=(), signer=None):
    """What does not hold; nothing if all holds."""
    wrong = alone(receipt)
    if statement:
        wrong += [f"of the statement: {one}" for one in of.alone(statement)] + against(receipt, statement)
    if signer and receipt["signer"] != signer:
        wrong.append("it is not signed with the key that you named")
    found = [asked(reveal, receipt, statement) for reveal in reveals]
    return wrong + [f"a revealed pair {why}" for why in found if why]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("receipt")
    parser.add_argument("reveals", nargs="*")
    parser.add_argument("--statement")
    parser.add_argument("--signer")
    args = parser.parse_args()
    receipt = of.read(args.receipt, parse_receipt)
    statement = args.statement and of.read(args.statement, of.parse_statement)
    reveals = [of.read(path, of.parse_reveal) for path in args.reveals]
    found = check(receipt, statement, reveals, args.signer)
    print("\n".join(f"not so: {one}" for one in found) or f"all holds; {len(reveals)} revealed")
    return 7 if found else 0


if __name__ == "__main__":
    sys.exit(main())
