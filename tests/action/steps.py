"""The GitHub action, step by step as a runner does it, in a root that has nothing but a minimal Debian and git; and
what the workflow of releases packs.

python steps.py ROOT PROGRAM      wants root (chroot) and PyYAML; ROOT is made by run.sh

Expressions, `if`, the environment of a step, GITHUB_ENV and the shell are the runner's; cargo, which that root does not have, is stood in for by a
script that holds its arguments against what the action is to ask for.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT, PROGRAM = Path(sys.argv[1]), Path(sys.argv[2])
TOP = Path(__file__).resolve().parents[2]
ACTION = "/action/integrations/github-action"
WORK, TEMP = "/home/runner/repository", "/home/runner/temp"
PATH = "/usr/local/bin:/usr/bin:/bin"

CARGO = f"""#!/bin/bash
set -eu
expected="build --release --locked --quiet --features full --manifest-path /action/Cargo.toml --target-dir {TEMP}/storymill"
[ "$*" = "$expected" ] || {{ echo "cargo was asked for: $*" >&2; exit 1; }}
mkdir -p {TEMP}/storymill/release
cp /opt/storymill {TEMP}/storymill/release/storymill
"""


def inside(words, environment=(), cwd=WORK, text=None):
    """Runs a command in the bare root, with nothing of our environment."""
    base = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"}
    enter = lambda: (os.chroot(ROOT), os.chdir(cwd))
    return subprocess.run(words, env={**base, **dict(environment)}, preexec_fn=enter, input=text, capture_output=True, text=True)


def must(*words):
    ran = inside(words)
    assert ran.returncode == 0, f"{words}: {ran.stdout}{ran.stderr}"
    return ran.stdout


def value(expression, inputs, base):
    """An expression of the action: an input, the base of the pull request, whether inputs are empty, or what the runner knows."""
    if " && " in expression:
        return all(value(part, inputs, base) for part in expression.split(" && "))
    if match := re.fullmatch(r"inputs\.([a-z-]+) ([!=])= ''", expression):
        return (inputs[match[1]] == "") == (match[2] == "=")
    if expression in ("github.token", "github.action_repository"):
        return ""
    if match := re.fullmatch(r"inputs\.([a-z-]+)", expression):
        return inputs[match[1]]
    assert expression == "github.event.pull_request.base.sha", f"an expression that this test does not know: {expression}"
    return base


def filled(text, inputs, base):
    return re.sub(r"\${{ *(.*?) *}}", lambda match: str(value(match[1], inputs, base)), str(text))


def run_action(given, base):
    """All steps as a runner takes them: the exit code of the first that fails, what all said, and the summary."""
    action = yaml.safe_load((ROOT / ACTION[1:] / "action.yml").read_text())
    inputs = {name: filled(one["default"], {}, base) for name, one in action["inputs"].items()}
    assert set(given) <= set(inputs), "an input that the action does not have"
    inputs.update(given)
    shutil.rmtree(ROOT / TEMP[1:], ignore_errors=True)
    files = {name: f"{TEMP}/{name.lower()}" for name in ["GITHUB_ENV", "GITHUB_STEP_SUMMARY"]}
    (ROOT / TEMP[1:]).mkdir(parents=True)
    for path in files.values():
        (ROOT / path[1:]).touch()
    runner = {"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_ACTION_PATH": ACTION, "GITHUB_WORKSPACE": WORK, "RUNNER_TEMP": TEMP, **files}
    said, steps = "", []
    for step in action["runs"]["steps"]:
        condition = step.get("if")
        if condition and not value(re.fullmatch(r"\${{ *(.*?) *}}", condition)[1], inputs, base):
            continue
        assert step["shell"] == "bash" and "${{" not in step["run"]
        kept = dict(line.split("=", 1) for line in (ROOT / files["GITHUB_ENV"][1:]).read_text().splitlines())
        own = {name: filled(text, inputs, base) for name, text in step.get("env", {}).items()}
        script = f"{TEMP}/step{len(steps)}.sh"
        (ROOT / script[1:]).write_text(step["run"])
        ran = inside(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], {**runner, **kept, **own})
        said += ran.stdout + ran.stderr
        steps.append(step["name"])
        if ran.returncode:
            break
    return ran.returncode, said, (ROOT / files["GITHUB_STEP_SUMMARY"][1:]).read_text(), steps


def book(number):
    """A page with dates and sums, which is what a rule can retell."""
    told = lambda at: f"<p>On the {at + 3}th of May the baker of village {number} sold {at + 5} loaves to the miller and paid {at + 9} shillings for flour.</p>"
    chapters = "".join(f"<h2>CHAPTER {one}</h2>" + "".join(map(told, range(14))) for one in range(1, 4))
    head = f"<p>Title: Village {number}</p><p>Author: Writer {number}</p>"
    return f"<html><head><title>Village {number}</title></head><body>{head}{chapters}</body></html>"


def repository():
    """A dataset on `main`, and a branch with one more book whose lock is not committed."""
    folder = ROOT / WORK[1:]
    (folder / "books").mkdir(parents=True)
    for number in range(3):
        (folder / "books" / f"v{number}.html").write_text(book(number))
    must("/opt/storymill", "init", "workflow.toml")
    (folder / ".gitignore").write_text("/out\n/.storymill\n")
    must("git", "init", "-q", "-b", "main")
    must("git", "config", "user.email", "a@example.org")
    must("git", "config", "user.name", "a")
    lock()
    commit()
    must("git", "checkout", "-q", "-b", "more")
    (folder / "books" / "v3.html").write_text(book(3))
    commit()
    return must("git", "rev-parse", "main").strip()


def lock():
    must("/opt/storymill", "build", "workflow.toml", "--out", "out/dataset")
    must("cp", "out/dataset/dataset.lock", "dataset.lock")


def commit():
    must("git", "add", "--all")
    must("git", "commit", "-q", "-m", "a change")


def published():
    """The workflow that uploads a release: its scripts are bash, and only the job without the repository may ask for a token."""
    jobs = yaml.safe_load((TOP / "integrations/github-action/publish.yml").read_text())["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {"release": None, "upload": {"id-token": "write"}}
    for script in (step["run"] for job in jobs.values() for step in job["steps"] if "run" in step):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def released():
    """The workflow that makes binaries: its scripts are bash, and what it packs finds its models."""
    job = yaml.safe_load((TOP / ".github/workflows/release.yml").read_text())["jobs"]["binary"]
    scripts = {step["name"].split(",")[0]: step["run"] for step in job["steps"] if "run" in step}
    assert list(scripts) == ["Build", "Try", "Pack", "Wheel", "Upload to the draft"], scripts
    for script in scripts.values():
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "target/dist").mkdir(parents=True)
        shutil.copy2(PROGRAM, here / "target/dist/storymill")
        for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md", "data"]:
            (here / name).symlink_to(TOP / name)
        environment = {"PATH": os.environ["PATH"], "GITHUB_REF_NAME": "v1.2.3", "NAME": "linux"}
        subprocess.run(["bash", "-euo", "pipefail", "-c", scripts["Pack"]], cwd=here, env=environment, check=True)
        (here / "away").mkdir()
        subprocess.run(["tar", "-xzf", "../storymill-1.2.3-linux.tar.gz"], cwd=here / "away", check=True)
        (here / "away/a.txt").write_text("Ann Lee met Bob Hall in London. “Well,” said Ann Lee to Bob Hall.\n\n" * 9)
        words = ["storymill-1.2.3-linux/storymill", "book", "cast", "a.txt", "--out", "a.toml"]
        ran = subprocess.run(words, cwd=here / "away", env=environment, capture_output=True, text=True)
        assert ran.returncode == 0 and "`litner`" in ran.stdout + ran.stderr, ran
        assert "was not found" not in ran.stderr, ran
    print("the workflow of releases: five scripts, and what is packed finds its models")


def main():
    published()
    released()
    (ROOT / "opt").mkdir(exist_ok=True)
    shutil.copy2(PROGRAM, ROOT / "opt/storymill")
    shutil.copytree(TOP / "integrations/github-action", ROOT / ACTION[1:])
    (ROOT / "action/data/models/litner").mkdir(parents=True)
    (ROOT / "usr/local/bin/cargo").write_text(CARGO)
    (ROOT / "usr/local/bin/cargo").chmod(0o755)
    base = repository()

    code, said, summary, steps = run_action({"storymill": "/opt/storymill"}, base)
    assert code == 1 and steps == ["Check the dataset"], (code, steps, said)
    assert "The committed lock is out of date" in summary and "1 added" in said, said
    lock()
    commit()
    for given, expected in [({"storymill": "/opt/storymill"}, 1), ({}, 2), ({"rows": "no"}, 2)]:
        code, said, summary, steps = run_action(given, base)
        assert code == 0 and len(steps) == expected, (code, steps, said)
        assert "Fine: built from recorded answers" in summary, summary
        told = "Locks were compared." if given.get("rows") == "no" else "Rows were compared."
        assert told in summary, summary
    code, said, *_ = run_action({"fail-on": "breaking"}, base)
    assert code == 1 and "The change is breaking" in said, said
    code, said, *_ = run_action({"directory": "nowhere"}, base)
    assert code == 2 and "is not a folder" in said, said
    print("the GitHub action in a bare root: 6 runs, step by step")


main()
