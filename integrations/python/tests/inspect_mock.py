"""Runs the Inspect tasks with Inspect's own mock model: the scores are what its answers deserve.

python inspect_mock.py      needs inspect-ai; reads STORYMILL_FOLDER
"""

import os
import sys
import tempfile
from pathlib import Path

import storymill

FOLDER = os.environ["STORYMILL_FOLDER"]
sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

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


if __name__ == "__main__":
    main()
