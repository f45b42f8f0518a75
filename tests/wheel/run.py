"""The wheel, installed as people do: from `pip install` to an opened report in three commands, and every other way in.

python run.py WHEEL WORK [--all]      wants uv beside it and an index of packages

Without `--all` only the three commands, and what the command costs to start. A wheel is held to 40 MB if STORYMILL_WHEEL_MOST says so
in bytes: one that is not built with `--profile dist` is larger.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

WHEEL, WORK = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
SYSTEM = [str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"), "-I"]
"""A Python that is no virtual environment; `-I` keeps out what the user has."""
MOST = int(os.environ.get("STORYMILL_WHEEL_MOST", 100_000_000))


def run(*words, cwd=WORK, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "STORYMILL"))}
    ran = subprocess.run(list(map(str, words)), cwd=cwd, env={**clean, **environment}, capture_output=True, text=True)
    assert ran.returncode == 0, f"{words}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
    return ran.stdout + ran.stderr


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sample(name, *command, **environment):
    """The sample project, built and checked; and the model that came along is found."""
    folder = WORK / name
    run(*command, "quickstart", folder, **environment)
    told = run(*command, "verify", folder / "out" / "quickstart", **environment)
    assert "sound" in told or "as its manifest says" in told or told, told
    page = folder / "books" / "sm01.html"
    cast = run(*command, "book", "cast", page, "--tagger", "litner", **environment)
    assert "perceptron" not in cast, cast
    print(f"{name}: built and checked; litner found")


def contents():
    assert "-cp39-abi3-" in WHEEL.name and "linux" in WHEEL.name, WHEEL.name
    assert WHEEL.stat().st_size < MOST, f"{WHEEL.stat().st_size} bytes"
    names = zipfile.ZipFile(WHEEL).namelist()
    for wanted in ("storymill/py.typed", "storymill/_storymill.pyi", "storymill/_storymill.abi3.so", "litner.onnx", ".dist-info/entry_points.txt"):
        assert any(name.endswith(wanted) for name in names), wanted
    assert any("/sboms/" in name for name in names), "no list of what it is made of"
    print(f"{WHEEL.name}: {WHEEL.stat().st_size / 1e6:.1f} MB, {len(names)} files")


def three_commands():
    """In an empty folder, without Rust and without a checkout."""
    venv.create(WORK / "venv", with_pip=True)
    here = WORK / "venv" / "bin"
    began, before = time.monotonic(), spent()
    run(here / "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL)
    run(here / "storymill", "quickstart")
    run(here / "storymill", "evaluate", "quickstart/out/quickstart", "--baselines", "--config", "read-along")
    took, used = time.monotonic() - began, spent() - before
    reports = list((WORK / "results").glob("*.html"))
    assert reports and "<svg" in reports[0].read_text(), "no report"
    print(f"from pip install to {reports[0].relative_to(WORK)}: {took:.1f} s, {used:.1f} s of CPU")
    # By CPU, so that a busy machine does not fail it: a quiet one takes less than that by the clock.
    assert used < 30, used
    return here


def start(here):
    """What it costs that the command lies in an extension module."""

    def least(*words):
        took = []
        for _ in range(7):
            before = spent()
            run(*words)
            took.append(spent() - before)
        return min(took)

    empty, told = least(here / "python", "-c", "pass"), least(here / "storymill", "--version")
    print(f"storymill --version: {1000 * told:.0f} ms of CPU, Python by itself {1000 * empty:.0f} ms")
    assert told - empty < 0.1, "past 100 ms a second binary would pay"
    assert run(here / "storymill", "--version") == run(here / "python", "-m", "storymill", "--version")


def other_ways(here):
    pip = [*SYSTEM, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--break-system-packages"]
    minor = f"python3.{sys.version_info.minor}"
    python = SYSTEM[0]

    target = WORK / "target-folder"
    run(*pip, "--target", target, WHEEL)
    sample("by-target", python, "-m", "storymill", PYTHONPATH=str(target))

    prefix = WORK / "prefix-folder"
    run(*pip, "--prefix", prefix, WHEEL)
    packages = next(prefix.glob(f"**/{minor}/*-packages"))
    sample("by-prefix", python, "-m", "storymill", PYTHONPATH=str(packages))

    base = {"PYTHONUSERBASE": str(WORK / "user-base"), "HOME": str(WORK / "home")}
    (WORK / "home").mkdir()
    run(python, *pip[2:], "--user", WHEEL, **base)
    sample("by-user", WORK / "user-base" / "bin" / "storymill", **base)

    index = run(here / "pip", "config", "get", "global.index-url").strip() if "index-url" in run(here / "pip", "config", "list") else ""
    uv = Path(sys.executable).parent / "uv"
    known = {"UV_DEFAULT_INDEX": index} if index and "UV_DEFAULT_INDEX" not in os.environ and "UV_INDEX_URL" not in os.environ else {}
    sample("by-uvx", uv, "tool", "run", "--quiet", "--from", WHEEL, "storymill", UV_CACHE_DIR=str(WORK / "uv"), **known)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    contents()
    here = three_commands()
    start(here)
    if "--all" in sys.argv:
        other_ways(here)
    else:
        print("skip: installs by --target, --prefix, --user and uvx: want CI_FULL=1")


if __name__ == "__main__":
    main()
