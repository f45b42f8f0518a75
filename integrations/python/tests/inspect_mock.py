"""Runs the Inspect tasks with Inspect's own mock model: the scores are what its answers deserve.

python inspect_mock.py      needs inspect-ai; reads STORYMILL_FOLDER and, for long contexts, STORYMILL_BIN
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import storymill
from storymill import curve

FOLDER = os.environ["STORYMILL_FOLDER"]
TOP = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "integrations" / "inspect"))

from inspect_ai import eval as evaluate  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from sets import claim_set  # noqa: E402
from tasks import choices, contexts, repairs, verdicts  # noqa: E402


def ran(task, answer):
    """The metrics of a task whose every question gets this answer, how many there were, and what was shown."""
    output = ModelOutput.from_content("mockllm/model", answer)
    # Without counts of tokens the mock would fetch a tokenizer.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=lambda *_: output.model_copy(deep=True))
    with tempfile.TemporaryDirectory() as logs:
        (log,) = evaluate(task, model=model, log_dir=logs, display="none")
    assert log.status == "success", log.error.message[:2000]
    told = {}
    for score in log.results.scores:
        told.update({(score.name, name): one.value for name, one in score.metrics.items()})
    return told, log.results.total_samples


def metric(told, name, score=None):
    # A scorer of several values puts the name of the metric before those that it gives.
    names = (name, f"curve_{name}")
    (value,) = [value for key, value in told.items() if key[1] in names and score in (None, key[0])]
    return value


def curve_of(asked, scores, by):
    """The curve that these scores of these questions should give."""
    rows = [
        (one.demand[by], one.author, score) for one, score in zip(asked, scores) if by in one.demand
    ]
    return {f"{by}_{found.name}": found.mean for found in curve.curve(rows)}


def same(told, expected, score=None):
    assert expected, "no bins"
    for name, value in expected.items():
        assert abs(metric(told, name, score) - value) < 1e-9, (name, told)


def of_books():
    """Options and free text, with the context and without."""
    asked = list(storymill.Dataset(FOLDER).questions("eval"))
    options = [one for one in asked if one.form == "options"]
    for position, context in ((0, "full"), (5, "none")):
        task = choices(FOLDER, "eval", context=context)
        assert (options[0].context in task.dataset[0].input) == (context == "full")
        told, count = ran(task, f"ANSWER: {'ABCDEF'[position]}")
        right = [float(one.right == position) for one in options]
        assert abs(metric(told, "accuracy") - sum(right) / len(right)) < 1e-9, told
        assert count == len(options)
        same(told, curve_of(options, right, "words"))
        print(
            f"choices, {context}, always {'ABCDEF'[position]}: {sum(right) / count:.4f} of {count}"
        )
    said = "The harbour master found the letter before noon."
    free = [one for one in asked if one.form == "free-text"]
    lines = [{"prediction": said, "references": one.references} for one in free]
    table = storymill.score(lines)
    names = [column["name"] for column in table["columns"]]
    told, count = ran(repairs(FOLDER, "eval", by="scenes"), said)
    for name, column in (("rouge-l", "rougeL"), ("f1", "f1")):
        scores = [row["scores"][names.index(column)] for row in table["rows"]]
        assert sum(scores) > 0
        assert abs(metric(told, "mean", name) - sum(scores) / len(scores)) < 1e-9, told
        same(told, curve_of(free, scores, "scenes"), name)
    assert count == len(free) and len(free) + len(options) == len(asked)
    print(f"repairs: {metric(told, 'mean', 'rouge-l'):.4f} of {count}")


def of_long_contexts(work):
    program = os.environ.get("STORYMILL_BIN")
    if not program:
        print("skip: long contexts in Inspect want STORYMILL_BIN")
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
    asked = [one for one in storymill.long_contexts(out) if one.language == "en"]
    said = asked[0].references[0]
    told, count = ran(contexts(out), said)
    lines = [
        {"prediction": said, "references": one.references, "keywords": one.keywords}
        for one in asked
    ]
    table = storymill.score(lines)
    names = [column["name"] for column in table["columns"]]
    mean = table["columns"][names.index("keyword_f1_as_released")]["mean"]
    assert count == len(asked) and mean > 0, (count, mean)
    assert abs(metric(told, "mean", "keyword-f1") - mean) < 1e-9, told
    print(f"contexts: {mean:.4f} of {count}")


def of_claims(work):
    pairs = claim_set(work / "claims")
    for said, right, whole in (("TRUE", 0.5, 0.0), ("I cannot tell.", 0.0, 0.0)):
        told, count = ran(verdicts(str(work / "claims")), said)
        assert count == 2 * len(pairs)
        assert metric(told, "accuracy") == right and metric(told, "pair_accuracy") == whole, told
        print(f"verdicts, always {said!r}: {right} of claims, {whole} of pairs, of {count} claims")


def as_documented() -> None:
    """The command of docs/python.md, from a folder that has what it names by relative paths."""
    page = (TOP / "docs" / "python.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^inspect (eval .*@choices .*)$", page, re.MULTILINE)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "out").mkdir()
        (Path(folder) / "out" / "quickstart").symlink_to(Path(FOLDER).resolve())
        (Path(folder) / "integrations").symlink_to(TOP / "integrations")
        words = shlex.split(command.replace("MODEL", "fixed/model"))
        words += ["--display", "none", "--limit", "2", "--log-dir", "logs", "--log-format", "json"]
        script = Path(folder) / "run.py"
        script.write_text(COMMAND, encoding="utf-8")
        line = shlex.join([sys.executable, str(script), *words])
        # By a shell, as people do: a shell says where it is.
        subprocess.run(["sh", "-c", f"cd {shlex.quote(folder)} && {line}"], check=True)
        (log,) = (Path(folder) / "logs").glob("*.json")
        told = json.loads(log.read_text(encoding="utf-8"))
        assert told["status"] == "success", told.get("error")
        assert told["results"]["completed_samples"] == 2, told["results"]
    assert Path.cwd() == before
    print(f"as documented: inspect {command}")


COMMAND = """
from inspect_ai._cli.main import main
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

@modelapi(name="fixed")
class Fixed(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        output = ModelOutput.from_content("fixed/model", "ANSWER: A")
        # Without counts of tokens a tokenizer would be fetched.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

main()
"""
"""What the command `inspect` runs, with one model more."""


def main() -> None:
    with tempfile.TemporaryDirectory() as holder:
        of_books()
        of_long_contexts(Path(holder))
        of_claims(Path(holder))
    as_documented()


if __name__ == "__main__":
    main()
