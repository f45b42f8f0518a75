"""Runs the Inspect tasks with Inspect's own mock model: the scores are what its answers deserve.

python inspect_mock.py      needs inspect-ai; reads STORYMILL_FOLDER
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

FOLDER = os.environ["STORYMILL_FOLDER"]
TOP = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "integrations" / "python" / "examples"))

from inspect_ai import eval as evaluate  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_task import choices, repairs  # noqa: E402


def ran(task, answer):
    """The score of a task whose every question gets this answer, and how many there were."""
    output = ModelOutput.from_content("mockllm/model", answer)
    # Without counts of tokens the mock would fetch a tokenizer.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=lambda *_: output.model_copy(deep=True))
    with tempfile.TemporaryDirectory() as logs:
        (log,) = evaluate(task, model=model, log_dir=logs, display="none")
    assert log.status == "success", log.error.message[:2000]
    (name,) = [name for name in ("accuracy", "mean") if name in log.results.scores[0].metrics]
    return log.results.scores[0].metrics[name].value, log.results.total_samples


def as_documented() -> None:
    """The command of docs/python.md, from a folder that has what it names by relative paths."""
    page = (TOP / "docs" / "python.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^inspect (eval .*)$", page, re.MULTILINE)
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
    rows = list(storymill.Dataset(FOLDER).rows("eval"))
    asked = [row for row in rows if row["options"]]
    for position in (0, 5):
        found = ran(choices(FOLDER, "eval"), f"ANSWER: {'ABCDEF'[position]}")
        right = sum(row["answer"] == position for row in asked) / len(asked)
        assert abs(found[0] - right) < 1e-9 and found[1] == len(asked), (found, right)
        print(f"choices, always {'ABCDEF'[position]}: {found[0]:.4f} of {found[1]}")
    said = "The harbour master found the letter before noon."
    free = [row for row in rows if not row["options"]]
    lines = [{"prediction": said, "reference": row["reference"]} for row in free]
    mean = storymill.score(lines)["columns"][1]["mean"]
    found = ran(repairs(FOLDER, "eval"), said)
    assert abs(found[0] - mean) < 1e-9 and found[1] == len(free) and mean > 0, (found, mean)
    print(f"repairs: {found[0]:.4f} of {found[1]}")
    assert len(asked) + len(free) == len(rows)
    as_documented()


if __name__ == "__main__":
    main()
