"""Checks a public statement of a private set, and pairs that were revealed: python check_statement.py STATEMENT [REVEAL ...]

Needs `pip install blake3 cryptography`. Written from docs/private-sets.md alone, so that nobody has to trust the program that made it.
`--before FILE` names the statement before it, `--signer KEY` the key of signatures that the maintainers have published.
"""

import argparse
import json
import sys

from blake3 import blake3
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(*parts):
    return blake3(b"".join(parts)).digest()


def sized(data):
    return len(data).to_bytes(8, "little") + data


def root(leaves):
    level = list(leaves)
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [digest(b"\x01", *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return digest(b"\x02", len(leaves).to_bytes(8, "little"), *level)


def leaf(reveal):
    names = sized(reveal["set"].encode()) + sized(reveal["pair"].encode())
    return digest(b"\x00", names, bytes.fromhex(reveal["salt"]), sized(canonical(reveal["content"])))


def check(statement, before=None, reveals=(), signer=None):
    """What does not hold; nothing if all holds."""
    wrong = []
    leaves, gone = statement["leaves"], [one["leaf"] for one in statement["retired"]]
    if statement["count"] != len(leaves) or leaves != sorted(set(leaves)) or set(leaves) & set(gone):
        wrong.append("the leaves are not sorted, not so many, or retired")
    if statement["root"] != root([bytes.fromhex(one) for one in leaves]).hex():
        wrong.append("the root is not that of the leaves")
    unsigned = {key: value for key, value in statement.items() if key != "signature"}
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(statement["signer"]))
        message = b"storymill statement " + digest(canonical(unsigned)).hex().encode()
        key.verify(bytes.fromhex(statement["signature"]), message)
    except (InvalidSignature, KeyError, ValueError):
        wrong.append("it is not signed by whom it names")
    if signer and statement.get("signer") != signer:
        wrong.append("it is not signed with the key that you named")
    if before:
        lost = set(before["leaves"]) - set(leaves) - set(gone)
        if statement["previous"] != digest(canonical(before)).hex() or lost:
            wrong.append("it does not follow the statement before it")
        if before.get("signers") and statement.get("signer") not in before["signers"]:
            wrong.append("its signer is none of those whom the statement before it names")
    for reveal in reveals:
        if reveal["statement"] != digest(canonical(statement)).hex() or leaf(reveal).hex() not in leaves + gone:
            wrong.append("a revealed pair is not what the set held")
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("statement")
    parser.add_argument("reveals", nargs="*")
    parser.add_argument("--before")
    parser.add_argument("--signer")
    args = parser.parse_args()
    read = lambda path: json.load(open(path, encoding="utf-8"))  # noqa: E731
    reveals = [read(path) for path in args.reveals]
    found = check(read(args.statement), args.before and read(args.before), reveals, args.signer)
    print("\n".join(f"not so: {one}" for one in found) or f"all holds; {len(reveals)} revealed")
    sys.exit(7 if found else 0)
