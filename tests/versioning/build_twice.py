"""The DVC stage and the Snakemake rule around a frozen build: built once, then left alone, then built for a change.

python build_twice.py [dvc] [snakemake]     reads STORYMILL_BIN; what is not installed is skipped by name
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TOOLS = TOP / "integrations"


def project(folder):
    shutil.copytree(TOP / "data/books", folder / "books")
    shutil.copytree(TOP / "data/answers/quickstart", folder / "answers")
    text = (TOP / "workflows/stories.toml").read_text()
    text = text.replace("../data/answers/quickstart", "answers").replace("../data/books", "books")
    (folder / "my.toml").write_text(text)
    programs = folder / "programs"
    programs.mkdir()
    (programs / "storymill").symlink_to(Path(os.environ["STORYMILL_BIN"]).resolve())


def run(folder, *command):
    path = f"{folder / 'programs'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        [Path(sys.executable).parent / command[0], *command[1:]],
        cwd=folder, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}"
    return ran.stdout


def change(folder):
    """Another version of the dataset, of the same answers."""
    text = (folder / "my.toml").read_text()
    assert 'version = "0.1.0"' in text
    (folder / "my.toml").write_text(text.replace('version = "0.1.0"', 'version = "0.2.0"'))


def manifest(folder):
    return (folder / "out/mine/manifest.json").read_text()


def dvc(folder):
    shutil.copy(TOOLS / "dvc/dvc.yaml", folder)
    run(folder, "dvc", "init", "--no-scm", "--quiet")
    run(folder, "dvc", "repro")
    first = manifest(folder)
    assert "didn't change" in run(folder, "dvc", "repro")
    change(folder)
    run(folder, "dvc", "repro")
    assert manifest(folder) != first and "out/mine" in (folder / "dvc.lock").read_text()


def snakemake(folder):
    shutil.copy(TOOLS / "snakemake/Snakefile", folder)
    command = ["snakemake", "--cores", "1"]
    run(folder, *command)
    first = manifest(folder)
    assert "Nothing to be done" in run(folder, *command)
    change(folder)
    run(folder, *command)
    assert manifest(folder) != first


for name, test in (("dvc", dvc), ("snakemake", snakemake)):
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    if not (Path(sys.executable).parent / name).exists():
        print(f"skip: {name} is not installed")
        continue
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        project(folder)
        test(folder)
        print(f"{name}: built, left alone, built again for a change")
