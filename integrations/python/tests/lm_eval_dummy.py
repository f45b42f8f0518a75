"""Runs the written task files in lm-evaluation-harness with models that need no weights: its own dummy, and an oracle.

python lm_eval_dummy.py     needs lm-eval, without torch; reads STORYMILL_FOLDER and, for long contexts, STORYMILL_BIN
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import storymill  # noqa: E402
from lm_eval import simple_evaluate  # noqa: E402
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402
from program import TOP  # noqa: E402
from sets import claim_set  # noqa: E402
from storymill import curve  # noqa: E402

FOLDER = os.environ["STORYMILL_FOLDER"]
SAID = "The harbour master found the letter before noon."


class Fixed(LM):
    """Finds one choice the likeliest, and always writes the same."""

    def __init__(self, choice, said=SAID):
        super().__init__()
        self.choice, self.said, self.shown = choice, said, []

    def loglikelihood(self, requests):
        told = [request.args for request in requests]
        self.shown += [context for context, _ in told]
        return [(0.0 if text.strip() == self.choice else -1.0, False) for _, text in told]

    def generate_until(self, requests):
        self.shown += [request.args[0] for request in requests]
        return [self.said for _ in requests]

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


def ran(folder, name, model):
    """The metrics of a task, and how many documents it had."""
    found = simple_evaluate(
        model=model,
        tasks=[name],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        bootstrap_iters=0,
        verbosity="ERROR",
    )
    told = {key.split(",")[0]: value for key, value in found["results"][name].items()}
    return told, len(found["samples"][name])


def written(out, *words):
    """The tasks that the command writes."""
    command = [sys.executable, "-m", "storymill.lm_eval", str(out), *map(str, words)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return ran.stdout.split()


def same(told, asked, scores, by="words"):
    """The curve is that of these scores."""
    rows = [
        (one.demand[by], one.author, score) for one, score in zip(asked, scores) if by in one.demand
    ]
    bins = curve.curve(rows)
    assert bins
    for one in bins:
        assert abs(told[f"{by}_{one.name}"] - one.mean) < 1e-9, (one, told)


def measured(asked, column, said=SAID):
    lines = [
        {
            "prediction": said,
            "references": one.references,
            **({"keywords": one.keywords} if one.keywords else {}),
        }
        for one in asked
    ]
    table = storymill.score(lines)
    at = [one["name"] for one in table["columns"]].index(column)
    return [row["scores"][at] for row in table["rows"]]


def of_books(work):
    names = written(work / "tasks", FOLDER)
    assert "storymill_quickstart_eval_options" in names and len(names) == 7, names
    data = storymill.Dataset(FOLDER)
    asked = list(data.questions("eval"))
    options = [one for one in asked if one.form == "options"]
    right = [float(one.right == 1) for one in options]
    model = Fixed("B")
    told, count = ran(work / "tasks", "storymill_quickstart_eval_options", model)
    assert count == len(options) and abs(told["acc"] - sum(right) / count) < 1e-9, told
    same(told, options, right)
    # A question is shown once with each of its options.
    begun = [one.context for one in options for _ in one.options]
    assert len(begun) == len(model.shown)
    assert all(text.startswith(context) for context, text in zip(begun, model.shown))
    print(f"options, always B: {told['acc']:.4f} of {count}")
    free = [one for one in asked if one.form == "free-text"]
    told, count = ran(work / "tasks", "storymill_quickstart_eval_free_text", Fixed("B"))
    scores = measured(free, "rougeL")
    assert count == len(free) and abs(told["rouge_l"] - sum(scores) / count) < 1e-9, told
    same(told, free, scores)
    print(f"free text: {told['rouge_l']:.4f} of {count}")
    (name,) = [
        name
        for name in written(work / "none", FOLDER, "--context", "none", "--by", "scenes")
        if name == "storymill_quickstart_eval_options_none"
    ]
    model = Fixed("B")
    told, _ = ran(work / "none", name, model)
    same(told, options, right, "scenes")
    assert not any(options[0].context in text for text in model.shown)
    told, count = ran(work / "tasks", "storymill_quickstart_eval_options", "dummy")
    assert 0 <= told["acc"] <= 1 and count == len(options)
    print(f"options, lm-eval's dummy: {told['acc']:.4f} of {count}")


def of_long_contexts(work):
    program = os.environ.get("STORYMILL_BIN")
    if not program:
        print("skip: long contexts in lm-eval want STORYMILL_BIN")
        return
    built, out = str(work / "lveval"), str(work / "written")
    for words in (
        [
            "build",
            str(TOP / "workflows" / "lveval.toml"),
            "--out",
            built,
            "--store",
            str(work / "s"),
        ],
        ["export", built, "--config", "contexts", "--level", "16k", "--out", out],
    ):
        subprocess.run([program, *words], check=True, capture_output=True)
    file = next(path for path in sorted(Path(out).glob("*.jsonl")) if "lanterns" in path.name)
    (name,) = written(work / "long", "--contexts", file, "--by", "symbols")
    asked = list(storymill.long_contexts(file))
    said = asked[0].references[0]
    told, count = ran(work / "long", name, Fixed("B", said))
    scores = measured(asked, "keyword_f1_as_released", said)
    assert count == len(asked) and sum(scores) > 0
    assert abs(told["keyword_f1"] - sum(scores) / count) < 1e-9, told
    same(told, asked, scores, "symbols")
    print(f"long contexts: {told['keyword_f1']:.4f} of {count}")


def of_claims(work):
    pairs = claim_set(work / "claims")
    (name,) = written(work / "verdicts", "--claims", work / "claims", "--by", "symbols")
    told, count = ran(work / "verdicts", name, Fixed("TRUE"))
    assert count == 2 * len(pairs) and (told["acc"], told["pair_acc"]) == (0.5, 0.0), told
    print(f"verdicts, always TRUE: {told['acc']} of claims, {told['pair_acc']} of pairs")


def main() -> None:
    with tempfile.TemporaryDirectory() as holder:
        of_books(Path(holder))
        of_long_contexts(Path(holder))
        of_claims(Path(holder))


if __name__ == "__main__":
    main()
