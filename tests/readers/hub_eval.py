"""Loads a release's `eval.yaml` as Inspect AI loads a benchmark of the Hugging Face Hub (`inspect eval hf/OWNER/DATASET`), from
a folder where no Hub is, and asks mock models: one that knows every answer, and one that always takes the first option.

    hub_eval.py RELEASE

Inspect's own `task_create_from_hf` reads the file, checks it against its schema and makes the task. What would come from the
Hub comes from the folder: the file itself, and the rows of a config by the card's front matter, as `datasets` finds them.
"""

import sys
import tempfile
from pathlib import Path

import huggingface_hub
import pyarrow.parquet as pq
import yaml
from inspect_ai import eval as evaluate
from inspect_ai._eval.task import hf
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def main(folder):
    card = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    configs = {one["config_name"]: one["data_files"] for one in card["configs"]}

    def rows(path, revision, name, split, sample_fields):
        pattern = next(one["path"] for one in configs[name] if one["split"] == split)
        files = sorted(folder.glob(pattern))
        assert files, f"{name}: no file of {pattern}"
        table = [row for file in files for row in pq.read_table(file).to_pylist()]
        return MemoryDataset([sample_fields(row) for row in table], name=path)

    huggingface_hub.hf_hub_download = lambda repo_id, filename, **_: str(folder / filename)
    hf.hf_dataset = rows
    [task] = hf.task_create_from_hf("hf/owner/dataset")
    assert 0 < len(task.dataset) <= 200, len(task.dataset)
    keys = {sample.input: sample for sample in task.dataset}
    assert len(keys) == len(task.dataset), "two prompts are the same"
    for sample in task.dataset:
        assert "<text>\n" in sample.input and sample.metadata["question_id"], sample.metadata
        assert 1 <= int(sample.target) <= sample.metadata["options"], sample.metadata
        assert f"\n{sample.metadata['options']}) " in sample.input, sample.metadata

    def share(says):
        def answer(messages, tools, choice, config):
            output = ModelOutput.from_content("mockllm", says(keys[messages[-1].text]))
            # Else Inspect counts tokens, with a file that it fetches.
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return output

        with tempfile.TemporaryDirectory() as logs:
            [log] = evaluate(task, model=get_model("mockllm/model", custom_outputs=answer), log_dir=logs, display="none")
        assert log.status == "success", log.error and log.error.message[:500]
        return log.results.scores[0].metrics["accuracy"].value

    right = share(lambda sample: f"The first answer: {int(sample.target) % 3 + 9} is wrong.\n\n**Answer: {sample.target}**")
    first = share(lambda sample: "Answer: 1")
    expected = sum(str(sample.target) == "1" for sample in task.dataset) / len(task.dataset)
    assert right == 1 and abs(first - expected) < 1e-9, (right, first, expected)
    print(f"eval.yaml in Inspect AI: {len(task.dataset)} prompts; right {right}, always the first option {first:.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: hub_eval.py RELEASE")
    main(Path(sys.argv[1]).resolve())
