"""Builds a workflow on a Ray cluster: job by job, shard by shard, on one budget.

    python drive.py my.toml --store /shared/store --max-usd 40 --prices prices.toml

Every node sees the workflow, the books and the store under the same paths, and has the same `storymill`. A shard is one
run of `storymill build --step K --shard i/N`: it may be lost, or run twice, and the rows stay the same.
docs/cluster.md says how to set a cluster up. `job.py` does a job, and `cluster.py` alone knows Ray.
"""

import argparse
import json
import math
import signal
import subprocess
import sys

from job import Job, Share

DONE, WAITS, INTERRUPTED = 0, 14, 130


class Driver:
    def __init__(self, args, cluster):
        self.args, self.cluster, self.began = args, cluster, cluster.now()
        self.all, self.done, self.again = 0, 0, 0
        self.log = open(args.log, "a") if args.log else None
        self.prices = ["--prices", args.prices] if args.prices else []
        # All money is in millionths of a dollar.
        self.budget = None if args.max_usd is None else math.floor(args.max_usd * 1e6)
        self.usd, self.used = Share(self.budget), 0
        self.before = self.paid()

    def build(self):
        plan = self.ask("plan", f"--steps={self.args.shards}" if self.args.shards else "--steps")
        self.all = sum(job["run"] for job in plan["jobs"])
        for job in plan["jobs"]:
            if job["run"]:
                Job(self, plan, job).run()
                self.settle()
        self.bar("publishing", end="\n")
        return self.publish()

    def publish(self):
        out = ["--out", self.args.out] if self.args.out else []
        return subprocess.run(self.words("build", "--finalize", *out, *self.prices)).returncode

    def words(self, command, *more):
        return [self.args.storymill, command, self.args.workflow, "--store", self.args.store, *more]

    def ask(self, command, *more):
        ran = subprocess.run(self.words(command, *more, "--format", "json"), capture_output=True, text=True)
        if ran.returncode not in (DONE, WAITS):
            sys.stderr.write(ran.stderr)
            sys.exit(ran.returncode)
        return json.loads(ran.stdout)

    def paid(self):
        """What the answers in the log cost; asked for only where there is a budget."""
        return self.ask("plan", *self.prices)["paid"]["micro_usd"] if self.budget is not None else 0

    def lost(self, usd):
        """What a lost shard used of its share: what it paid for is in the log."""
        return min(usd, max(0, self.paid() - self.before - self.used)) if usd else 0

    def settle(self):
        """Where nothing is in flight, what is left is what the log says."""
        if self.budget is not None:
            self.used = self.paid() - self.before
            self.usd.free = max(0, self.budget - self.used)

    def note(self, **what):
        if self.log:
            print(json.dumps({"at": round(self.cluster.now(), 2), **what}), file=self.log, flush=True)

    def bar(self, what, flying=0, end=""):
        if sys.stderr.isatty() or end:
            full = 24 * self.done // max(1, self.all)
            left = f", ${self.usd.free / 1e6:.2f} free" if self.usd.free is not None else ""
            line = f"{self.done}/{self.all} {what}, {flying} shards in flight, {self.again} again{left}  {self.cluster.now() - self.began:.0f} s"
            print(f"\r[{'#' * full}{'.' * (24 - full)}] {line}\x1b[K", end=end, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workflow")
    parser.add_argument("--store", default=".storymill", help="a folder that every node sees")
    parser.add_argument("--out", help="where to publish")
    parser.add_argument("--storymill", default="storymill", help="the program on every node")
    parser.add_argument("--address", default="auto", help="of the cluster")
    parser.add_argument("--shards", type=int, help="of each job")
    parser.add_argument("--at-once", type=int, help="shards under way at once")
    parser.add_argument("--tries", type=int, default=5, help="how often a lost shard is tried again")
    parser.add_argument("--patience", type=float, default=600, help="seconds to wait for a store that another run holds")
    parser.add_argument("--max-usd", type=float, help="for all of it; wants --prices")
    parser.add_argument("--prices")
    parser.add_argument("--log", help="a JSON line for each shard that starts or ends")
    args = parser.parse_args()
    if args.max_usd is not None and not args.prices:
        parser.error("--max-usd wants --prices")
    from cluster import Cluster

    cluster = Cluster(args.address)
    # `timeout` and schedulers end a job by SIGTERM: the same as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return Driver(args, cluster).build()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
