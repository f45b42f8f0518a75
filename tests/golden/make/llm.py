"""Writes `llm/`: answers in the form of a chat server, ordinary and broken, about the two books. What a model says is
made up; each true retelling carries what the checks must say of it. Replies of a server follow the OpenAI form."""

import json
import re

TAG = "### BEGIN ANSWER ###\n"
BILL = (
    "Hannah notices that the bill for the oil is forty gallons too high, while her father wants to write a letter about it. "
    "She refuses to wait for an answer and has Peter bring the boat."
)
CARTER = (
    "A carter explains to Hannah that only five casks reached the quay, because young Walter had the others taken to the Manor. "
    "Walter confesses to his uncle and must pay with work at the lighthouse."
)
LOST = (
    "The doctor learns from Clara that his old friend kept the coins of the wager untouched in a bag with a ribbon. "
    "She had written down a debt because in her eyes he had never lost, and the parrot moves in with the doctor."
)
EVENTS = [
    ("Hannah notices that the bill for the oil is forty gallons too high.", "Hannah notices that the bill for the oil is ten gallons too low."),
    ("Her father wants to write a letter about it.", "Her father wants to sell the boat because of it."),
]


def passages(out):
    found = {}
    for name, number in (("rock", "90001"), ("rye", "90002")):
        body = (out / f"books/gold/{number}.txt").read_text()
        for at, chapter in enumerate(re.split(r"(?m)^# .*\n", body)[1:]):
            found[f"{name}-{at + 1}"] = chapter.strip().replace("\n", "\n\n")
    return found


def rows(passages):
    copied = " ".join(passages["rock-2"].split("\n\n")[:2])
    loop = "She asks the nephew and he does not answer. " * 12
    changes = [{"true_event": true, "false_event": false} for true, false in EVENTS]
    told = [
        ("rock-1", "true_summary", "made", TAG + BILL, "stop", "fit"),
        ("rock-2", "true_summary", "made", TAG + copied, "stop", "copied"),
        ("rock-3", "true_summary", "made", TAG + CARTER, "stop", "fit"),
        ("rye-1", "true_summary", "made", "Clara inherits a house and a debt that names no creditor, and the parrot names one.", "stop", "tag-missing"),
        ("rye-2", "true_summary", "made", TAG + loop, "length", "loop"),
        ("rye-3", "true_summary", "made", TAG + LOST[:-30], "length", "cut-off"),
        ("rock-1", "false_summary", "made", TAG + BILL, "stop", None),
        ("rock-3", "false_summary", "made", TAG + CARTER + '"', "stop", None),
        ("rock-1", "false_summary", "json_schema", json.dumps({"changes": changes, "false_summary": BILL[:60]}), "length", None),
    ]
    for passage, task, variant, text, reason, expect in told:
        usage = {"prompt_tokens": 300, "completion_tokens": len(text.split()), "total_tokens": 300 + len(text.split())}
        message = {"role": "assistant", "content": text}
        response = {"object": "chat.completion", "model": "made", "usage": usage}
        response["choices"] = [{"index": 0, "finish_reason": reason, "message": message}]
        row = {"passage": passage, "task": task, "variant": variant, "response_text": text, "finish_reason": reason}
        yield row | {"usage": usage, "response": response} | ({"expect": expect} if expect else {})


def replies():
    error = lambda code, kind, message: json.dumps({"error": {"code": code, "type": kind, "message": message}})
    said = lambda text, reason: json.dumps({"choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}]})
    yield "loading", 503, error(503, "unavailable_error", "The model is being loaded")
    yield "context_overflow", 400, error(400, "exceed_context_size_error", "the request has 900 tokens, the context only 512")
    yield "invalid_json", 400, error(400, "invalid_request_error", "the body ends in the middle")
    yield "missing_messages", 400, error(400, "invalid_request_error", "no messages")
    yield "not_found", 404, error(404, "not_found_error", "no such file")
    yield "bad_response_format", 400, error(400, "invalid_request_error", "the JSON schema has the type `nonsense`")
    yield "ok_stop", 200, said("The keeper rowed home.", "stop")
    yield "ok_length", 200, said("The keeper rowed", "length")


def make(out, lines, write):
    texts = passages(out)
    write("llm/passages.jsonl", lines({"id": name, "text": text} for name, text in texts.items()))
    write("llm/recorded-made.jsonl", lines(rows(texts)))
    cases = ({"case": case, "method": "POST", "status": status, "body": body} for case, status, body in replies())
    write("llm/server-edge-cases.jsonl", lines(cases))
