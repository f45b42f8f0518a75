"""Checks a public statement of a private set, and pairs that were revealed: python check_statement.py STATEMENT [REVEAL ...]

Needs `pip install blake3 cryptography`. Written from docs/private-sets.md alone, so that nobody has to trust the program that made it.
`--before FILE` names the statement before it, `--signer KEY` the key of signatures that the maintainers have published.
"""

import argparse
import datetime
import json
import re
import sys

from blake3 import blake3
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

UNSIGNED, SIGNED, STANDING, REVEAL = "storymill statement 1", "storymill statement 2", "storymill statement 3", "storymill reveal 1"
# What Unicode calls white space: Python's own idea of it is wider.
BLANK = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def is_text(value):
    return isinstance(value, str)


def is_count(value):
    return type(value) is int and 0 <= value < 2**64


def is_digest(value):
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value)


def is_signature(value):
    return is_text(value) and re.fullmatch("[0-9a-f]{128}", value)


def is_anything(value):
    return True


def maybe(check):
    return lambda value: value is None or check(value)


def listed(check):
    return lambda value: isinstance(value, list) and all(check(one) for one in value)


def fields(checks):
    """An object with these fields, each of its kind, and no other."""
    return lambda value: isinstance(value, dict) and value.keys() == checks.keys() and all(checks[key](value[key]) for key in checks)


RETIRED = {"leaf": is_digest, "reason": is_text, "version": is_text}
OLD_STATEMENT = {
    "format": is_text,
    "set": is_text,
    "version": is_text,
    "number": is_count,
    "previous": maybe(is_digest),
    "count": is_count,
    "root": is_digest,
    "leaves": listed(is_digest),
    "retired": listed(fields(RETIRED)),
    "canary": is_text,
    "send_private_to": listed(is_text),
}
SIGNED_STATEMENT = OLD_STATEMENT | {"signers": listed(is_digest), "signer": is_digest, "signature": is_signature}
EXPOSED = {"service": is_text, "since": is_text, "leaves": listed(is_digest)}
STATEMENT = SIGNED_STATEMENT | {"valid_until": is_text, "saturated": listed(is_digest), "exposed": listed(fields(EXPOSED))}
REVEALED = {
    "format": is_text,
    "set": is_text,
    "pair": is_text,
    "salt": is_digest,
    "content": is_anything,
    "statement": is_digest,
    "at": maybe(is_count),
    "path": listed(is_digest),
}


def parse(text, forms):
    """JSON in which each field stands once and numbers are written in one way, of one of the forms: {format: fields}."""

    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a field stands twice")
        return dict(pairs)

    def whole(digits):
        if digits == "-0" or not -(2**63) <= int(digits) < 2**64:
            raise ValueError("a number out of range")
        return int(digits)

    def constant(word):
        raise ValueError(f"{word} is no JSON")

    value = json.loads(text, object_pairs_hook=once, parse_int=whole, parse_constant=constant)
    canonical(value)
    checks = isinstance(value, dict) and forms.get(str(value.get("format")))
    if not checks or not fields(checks)(value):
        raise ValueError("a field is missing, unknown or of another kind")
    return value


def parse_statement(text):
    return parse(text, {STANDING: STATEMENT, SIGNED: SIGNED_STATEMENT, UNSIGNED: OLD_STATEMENT})


def parse_reveal(text):
    return parse(text, {REVEAL: REVEALED})


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(*parts):
    return blake3(b"".join(parts)).digest()


def name(statement):
    return digest(canonical(statement)).hex()


def sized(data):
    return len(data).to_bytes(8, "little") + data


def node(left, right):
    return digest(b"\x01", left, right)


def crown(count, *top):
    return digest(b"\x02", count.to_bytes(8, "little"), *top).hex()


def root(leaves):
    level = [bytes.fromhex(one) for one in leaves]
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [node(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return crown(len(leaves), *level)


def walk(leaf, at, count, path):
    """The root that a leaf leads to from its place; none if the way is too short, too long, or there is no such place."""
    here, path = leaf, [bytes.fromhex(one) for one in path]
    if at >= count:
        return None
    width = count
    while width > 1:
        if at ^ 1 < width:
            if not path:
                return None
            partner = path.pop(0)
            here = node(partner, here) if at % 2 else node(here, partner)
        at, width = at // 2, (width + 1) // 2
    return None if path else crown(count, here)


def leaf(reveal):
    names = sized(reveal["set"].encode()) + sized(reveal["pair"].encode())
    return digest(b"\x00", names, bytes.fromhex(reveal["salt"]), sized(canonical(reveal["content"])))


def version(text):
    """The three numbers of a version; none if it is none."""
    found = re.fullmatch(r"([0-9]+)\.([0-9]+)\.([0-9]+)", text)
    numbers = found and [one.lstrip("0") or "0" for one in found.groups()]
    if not numbers or any(len(one) > 20 or int(one) >= 2**64 for one in numbers):
        return None
    return [int(one) for one in numbers]


def is_rising(items):
    return all(one < other for one, other in zip(items, items[1:]))


def is_day(text):
    return re.fullmatch("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", text)


def is_signed(statement, what="statement"):
    unsigned = {key: value for key, value in statement.items() if key != "signature"}
    message = f"storymill {what} {name(unsigned)}".encode()
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(statement["signer"]))
        key.verify(bytes.fromhex(statement["signature"]), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def gone(statement):
    return {one["leaf"] for one in statement["retired"]}


def is_shown(exposed, leaves):
    """Whether a service was shown some of these leaves, on a day."""
    shown = exposed["leaves"]
    return exposed["service"] and is_day(exposed["since"]) and shown and is_rising(shown) and set(shown) <= set(leaves)


def exposures(statement):
    return {(one["service"], one["since"], leaf) for one in statement.get("exposed", []) for leaf in one["leaves"]}


def alone(statement):
    """What does not hold of a statement by itself."""
    leaves, retired, is_first = statement["leaves"], statement["retired"], statement["number"] == 1
    own, went = version(statement["version"]), [version(one["version"]) for one in retired]
    exposed, saturated = statement.get("exposed", []), statement.get("saturated", [])
    are_shown = all(is_shown(one, leaves) for one in exposed)
    in_time = own and all(went) and went == sorted(went) and (not went or went[-1] <= own)
    rules = {
        "the version is not three numbers, as in 1.0.0": own,
        "the signature is not that of whom it names": statement["format"] == UNSIGNED or is_signed(statement),
        "it does not say who may sign the next one": statement["format"] == UNSIGNED or statement["signers"],
        "who may sign is not sorted, or named twice": is_rising(statement.get("signers", [])),
        "the count is not that of the leaves": statement["count"] == len(leaves),
        "the leaves are not sorted, or one stands twice": is_rising(leaves),
        "the root is not that of the leaves": statement["root"] == root(leaves),
        "a retired pair is still in the set": not set(leaves) & gone(statement),
        "a pair was retired twice": len(gone(statement)) == len(retired),
        "a pair was retired without a reason": all(one["reason"].strip(BLANK) for one in retired),
        "a pair was retired in a version that is none, or in one that is still to come": in_time or not went,
        "a first statement retires what no statement held": not is_first or not retired,
        "there is no canary": statement["canary"],
        "the day that it is valid until is not one, as in 2026-11-28": is_day(statement.get("valid_until", "2026-11-28")),
        "saturated pairs are not sorted, or are not in the set": is_rising(saturated) and set(saturated) <= set(leaves),
        "who was shown pairs is not sorted, or these are not in the set": are_shown
        and is_rising([(one["service"].encode(), one["since"]) for one in exposed]),
        "a first statement follows none, and any other follows one": statement["number"] > 0
        and is_first == (statement["previous"] is None),
    }
    return [wrong for wrong, holds in rules.items() if not holds]


def after(statement, before):
    """What does not hold of a statement after the one before it."""
    leaves, told = set(statement["leaves"]), len(before["retired"])
    is_longer = statement["retired"][:told] == before["retired"]
    fresh = statement["retired"][told:] if is_longer else []
    higher = version(statement["version"]) and (version(before["version"]) or []) < version(statement["version"])
    rules = {
        "it does not follow the statement before it": statement["previous"] == name(before),
        "its number is not the next one": statement["number"] == before["number"] + 1,
        "it is of another set": statement["set"] == before["set"],
        "it is of an older form than the statement before it": statement["format"] >= before["format"],
        "that a service was shown a pair is no longer told": all(
            one[2] not in leaves or one in exposures(statement) for one in exposures(before)
        ),
        "its version is not higher than that of the statement before it": higher,
        "the canary was minted anew": statement["canary"] == before["canary"],
        "an endpoint that private text was sent to is no longer told": set(before["send_private_to"])
        <= set(statement["send_private_to"]),
        "it is not signed by one of those whom the statement before it names": not before.get("signers")
        or statement.get("signer") in before["signers"],
        "what was retired before is told otherwise, or no longer": is_longer,
        "a pair was retired that the statement before it did not hold": all(one["leaf"] in before["leaves"] for one in fresh),
        "a pair went with this statement, and is said to have gone in another version": all(
            one["version"] == statement["version"] for one in fresh
        ),
        "a pair is gone or changed without a reason": set(before["leaves"]) <= leaves | gone(statement),
    }
    return [wrong for wrong, holds in rules.items() if not holds]


def held(reveal, statement, before):
    """Why neither the statement nor the one before it is shown to have held a revealed pair; none if one is."""
    both = [one for one in (statement, before) if one and name(one) == reveal["statement"] and one["set"] == reveal["set"]]
    if not both:
        return "belongs to another statement"
    of, one = both[0], leaf(reveal)
    if reveal["at"] is not None:
        return None if walk(one, reveal["at"], of["count"], reveal["path"]) == of["root"] else "is not what the set held"
    if reveal["path"] or one.hex() not in gone(of):
        return "is not what the set held"
    # That a statement lists a leaf among those that went does not show that it was ever in.
    if of is statement and before and one.hex() in before["leaves"]:
        return None
    return "stands among those that went, which does not show that the set ever held it: check it with the last statement that did"


def check(statement, before=None, reveals=(), signer=None):
    """What does not hold; nothing if all holds."""
    wrong = alone(statement)
    if before:
        wrong += [f"of the statement before it: {one}" for one in alone(before)] + after(statement, before)
    if signer and statement.get("signer") != signer:
        wrong.append("it is not signed with the key that you named")
    found = [held(reveal, statement, before) for reveal in reveals]
    return wrong + [f"a revealed pair {why}" for why in found if why]


def read(path, how):
    try:
        with open(path, encoding="utf-8") as file:
            return how(file.read())
    except (ValueError, RecursionError) as error:
        print(f"not so: {path}: {error}")
        sys.exit(7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("statement")
    parser.add_argument("reveals", nargs="*")
    parser.add_argument("--before")
    parser.add_argument("--signer")
    args = parser.parse_args()

    statement = read(args.statement, parse_statement)
    before = args.before and read(args.before, parse_statement)
    reveals = [read(path, parse_reveal) for path in args.reveals]
    found = check(statement, before, reveals, args.signer)
    last = statement.get("valid_until")
    if last and last < datetime.date.today().isoformat():
        print(f"old: it was valid until {last}; ask for a newer one")
    print("\n".join(f"not so: {one}" for one in found) or f"all holds; {len(reveals)} revealed")
    return 7 if found else 0


if __name__ == "__main__":
    sys.exit(main())
