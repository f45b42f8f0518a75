"""The simulation against the real thing: the driver on two nodes of this machine, with a model server that takes its time.

python predicted.py CALLS.jsonl      needs ray; reads STORYMILL_BIN. Some minutes; no test, it prints a table

The server takes as long for an answer as one of the recorded calls, made shorter so that their mean is half a second. A
pilot of other books by one process is what the simulation knows of it: its calls, as `storymill answers calls` prints them.
"""

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from two_nodes import ASKS, BIN, Beside, Teller, books, drive, finished, lines

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import simulate  # noqa: E402

MEAN, BOOKS, SHARDS = 0.5, 16, 8


class Slow(Teller):
    """Takes as long as a recorded call, and refuses some requests; which, hangs on nothing that the simulation knows."""

    millis, refuses, lot = [], 0, random.Random(9)

    def do_POST(self):
        if Slow.lot.random() >= Slow.refuses:
            Teller.waits = 0
            time.sleep(Slow.lot.choice(Slow.millis) / 1000)
            return super().do_POST()
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(503)
        self.send_header("Content-Length", "0")
        self.end_headers()


def workflow(folder, server, more):
    folder.mkdir()
    text = ASKS.replace("{port}", str(server.server_port)).replace("concurrency = 4", f"concurrency = 16\n{more}")
    (folder / "my.toml").write_text(text)


def pilot(folder, server):
    """The plan, and what calls took in a build of some books by one process."""
    workflow(folder, server, "")
    books(folder, 4, 2)
    command = [BIN, "build", "my.toml", "--store", "store"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    asked = [BIN, "answers", "calls", "--answers", "store/answers"]
    calls = subprocess.run(asked, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    plan = [BIN, "plan", "my.toml", "--store", "none", "--steps", "--format", "json"]
    return json.loads(subprocess.run(plan, cwd=folder, check=True, capture_output=True, text=True).stdout), calls


def measured(folder, server, more):
    """Seconds of the job that asks, and of a shard of the job before, which is little more than its begin."""
    workflow(folder, server, more)
    books(folder, BOOKS, 2)
    cluster = Beside()
    try:
        finished(drive(folder, cluster, "--shards", str(SHARDS)))
    finally:
        cluster.close()
    log = lines(folder)
    job = max(line["job"] for line in log)
    asking = [line["at"] for line in log if line["job"] == job]
    took = [line["at"] * (1 if line["what"] == "ended" else -1) for line in log if line["job"] == job - 1]
    return asking[-1] - asking[0], sum(took) / (len(took) / 2)


def predicted(plan, calls, begin, words):
    """The mean of twenty seeds."""
    found = []
    for seed in range(20):
        fixed = f"calls plan --cpus 1 --in-flight 8 --shards {SHARDS} --refusal-seconds 0.01 --begin {begin} --seed {seed}".split()
        args = simulate.parsed([*fixed, *words])
        world = simulate.World(args, plan, simulate.Recorded(calls, plan, args), BOOKS, 2)
        world.build()
        found.append(3600 * world.hours())
    return sum(found) / len(found), min(found), max(found)


def main():
    recorded = [json.loads(line)["millis"] for line in open(sys.argv[1])]
    Slow.millis = [1000 * MEAN * millis * len(recorded) / sum(recorded) for millis in recorded]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("| | measured | simulated (of 20 seeds) | off by |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as top:
        plan, calls = pilot(Path(top) / "pilot", server)
        cases = [
            ("as it is", "", 0, []),
            ("600 requests a minute", "requests_per_minute = 600", 0, ["--requests-per-minute", "600"]),
            ("one in ten refused with a 503", "", 0.1, ["--refused", "0.1"]),
        ]
        for at, (name, more, refuses, words) in enumerate(cases):
            Slow.refuses = refuses
            real, begin = measured(Path(top) / str(at), server, more)
            mean, least, most = predicted(plan, calls, begin, words)
            print(f"| {name} | {real:.1f} s | {mean:.1f} s ({least:.1f} to {most:.1f}) | {100 * mean / real - 100:+.0f} % |", flush=True)


if __name__ == "__main__":
    main()
