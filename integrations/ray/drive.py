"""Builds a workflow on a Ray cluster: job by job, shard by shard, on one budget.

    python drive.py my.toml --store /shared/store --max-usd 40 --prices prices.toml

Every node sees the workflow, the books and the store under the same paths, and has the same `storymill`. A shard is one
run of `storymill build --step K --shard i/N`: it may be lost, or run twice, and the rows stay the same.
docs/cluster.md says how to set a cluster up.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time

# A node that is cut off says nothing. By itself Ray waits seven minutes for what runs there, though it knows the node for dead.
os.environ.setdefault("RAY_grpc_client_keepalive_time_ms", "10000")
os.environ.setdefault("RAY_grpc_client_keepalive_timeout_ms", "20000")
import ray  # noqa: E402

DONE, MODEL, WAITS, AGAIN, INTERRUPTED = 0, 8, 14, 75, 130


def run_shard(command):
    """Runs a shard on the node that Ray chose: its exit code, its last line, and what it said if it failed."""

    def die_with_worker():
        # A worker that is killed takes its shard along; else it would go on unseen.
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)

    with tempfile.TemporaryFile("w+") as said:
        # A session of its own: Ctrl-C comes through the driver, once.
        options = {"preexec_fn": die_with_worker} if sys.platform == "linux" else {}
        shard = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True, **options
        )
        last = "{}"
        try:
            for line in shard.stdout:
                last = line if line.startswith("{") else last
            shard.wait()
        except BaseException:
            shard.send_signal(signal.SIGINT)
            shard.wait()
        said.seek(0)
        return shard.returncode, json.loads(last), said.read()[-2000:]


class Share:
    """What is divided: each shard gets an equal part of what is free, and gives back what it left."""

    def __init__(self, total):
        self.free = total

    def take(self, among):
        part = self.free if self.free is None else self.free // max(1, among)
        if part is not None:
            self.free -= part
        return part

    def give(self, part):
        if part is not None:
            self.free += part


class Driver:
    def __init__(self, args):
        self.args, self.started = args, time.time()
        self.again, self.used, self.log = 0, 0, open(args.log, "a") if args.log else None
        self.usd = Share(None if args.max_usd is None else math.floor(args.max_usd * 1e6))
        self.models = ["--prices", args.prices] if args.prices else []
        self.paid_before = self.paid()

    def words(self, command, *more):
        return [self.args.storymill, command, self.args.workflow, "--store", self.args.store, *more]

    def ask(self, command, *more):
        ran = subprocess.run(self.words(command, *more, "--format", "json"), capture_output=True, text=True)
        if ran.returncode not in (DONE, WAITS):
            sys.stderr.write(ran.stderr)
            sys.exit(ran.returncode)
        return json.loads(ran.stdout)

    def paid(self):
        """Millionths of a dollar that the answers in the log cost; asked for only where there is a budget."""
        return self.ask("status", *self.models)["paid"]["micro_usd"] if self.usd.free is not None else 0

    def note(self, **what):
        if self.log:
            print(json.dumps(what), file=self.log, flush=True)

    def build(self):
        shards = ["--shards", str(self.args.shards)] if self.args.shards else []
        plan = self.ask("plan", "--steps", *shards)
        self.all = sum(job["run"] for job in plan["jobs"])
        self.done = 0
        for at, job in enumerate(plan["jobs"]):
            if job["run"] > 0:
                limits = {one["model"]: one for one in plan["models"]}
                self.job(job, limits, f"job {at + 1}/{len(plan['jobs'])}: {','.join(job['steps'])}")
        self.bar("publishing", 0, "\n")
        out = ["--out", self.args.out] if self.args.out else []
        return subprocess.run(self.words("build", "--finalize", *out, *self.models)).returncode

    def job(self, job, limits, title):
        """Does the shards of a job, so many at once; where a model is asked, as many as its rates allow."""
        waiting = [one for one in job["shards"] if one["run"] > 0] or [{"shard": None, "run": job["run"]}]
        asked = [limits[name] for name in job["wants"]["models"]]
        cpus = ray.cluster_resources().get("CPU", 1)
        at_once = self.args.at_once or max(1, int(cpus / job["wants"]["cpus"]))
        keys = {"--requests-per-minute": "requests_per_minute", "--tokens-per-minute": "tokens_per_minute"}
        keys["--in-flight"] = "concurrency"
        rates = [(f, one["model"], Share(one[key])) for one in asked for f, key in keys.items() if one[key]]
        at_once = min([at_once, len(waiting)] + [rate.free for _, _, rate in rates])
        tries, flying, starved = {}, {}, []
        try:
            while waiting or flying or starved:
                if starved and not waiting and not flying:
                    # Alone, with all that is left.
                    waiting.append(starved.pop(0))
                due = [shard for shard in waiting if shard.get("due", 0) <= time.time()]
                for shard in due[: at_once - len(flying)]:
                    waiting.remove(shard)
                    self.launch(job, shard, rates, asked, len(waiting), at_once, flying)
                self.bar(title, len(flying))
                if not flying:
                    time.sleep(0.2)
                for task in ray.wait(list(flying), timeout=1)[0] if flying else ():
                    self.ended(job, task, rates, tries, waiting, flying, starved)
        except BaseException:
            for task in flying:
                ray.cancel(task)
            ray.wait(list(flying), num_returns=max(1, len(flying)), timeout=60) if flying else None
            raise
        self.settle()

    def launch(self, job, shard, rates, asked, behind, at_once, flying):
        usd = self.usd.take(behind + 1) if asked else None
        parts = [rate.take(at_once - len(flying)) for _, _, rate in rates]
        command = self.words("build", "--step", job["step"], "--message-format", "json", *self.models)
        if shard["shard"]:
            command += ["--shard", shard["shard"], "--threads", str(max(1, int(job["wants"]["cpus"])))]
        command += ["--max-usd", f"{usd / 1e6:.6f}"] if usd is not None else []
        for (flag, model, _), part in zip(rates, parts):
            command += [flag, f"{model}={part}"]
        self.note(what="started", job=job["number"], shard=shard["shard"], usd=usd, parts=parts)
        task = ray.remote(run_shard).options(max_retries=0, **self.resources(job["wants"]))
        flying[task.remote(command)] = (shard, usd, parts)

    def ended(self, job, task, rates, tries, waiting, flying, starved):
        shard, usd, parts = flying.pop(task)
        for (_, _, rate), part in zip(rates, parts):
            rate.give(part)
        lost, used = False, 0
        try:
            code, last, said = ray.get(task)
            used = (last.get("used") or {}).get("micro_usd", 0)
        except ray.exceptions.RayError as error:
            # Its node or worker is gone. What it paid for is in the log, and is at most its share.
            lost, code, said = True, AGAIN, str(error)
            used = min(usd, max(0, self.paid() - self.paid_before - self.used)) if usd else 0
        self.used += used
        self.usd.give(usd if usd is None else max(0, usd - used))
        self.note(what="lost" if lost else "ended", job=job["number"], shard=shard["shard"], code=code, used=used)
        tries[shard["shard"]] = tries.get(shard["shard"], 0) + lost
        limited = code == MODEL and usd is not None
        held = code == AGAIN and not lost
        if held:
            # A file server keeps the locks of a dead node for a while: 90 seconds for NFS.
            shard.setdefault("held_since", time.time())
            shard["pause"] = min(60, 2 * shard.get("pause", 0.5))
            shard["due"] = time.time() + shard["pause"]
        if code == DONE:
            self.done += shard["run"]
        elif (
            limited and used > 0
            or lost and tries[shard["shard"]] <= self.args.tries
            or held and time.time() - shard["held_since"] < self.args.patience
        ):
            # A share that is used up is filled again from what others left, as long as that gets on.
            self.again += 1
            waiting.append(shard)
        elif limited and (flying or usd < self.usd.free):
            # Too small a share to ask anything with; those in flight may leave more.
            starved.append(shard)
        else:
            print(f"\n{job['step']} {shard['shard'] or ''}: exit code {code}\n{said}", file=sys.stderr)
            sys.exit(code)

    def settle(self):
        """Between jobs nothing is in flight: what is left is what the log says."""
        if self.usd.free is not None:
            self.usd.free = max(0, math.floor(self.args.max_usd * 1e6) - (self.paid() - self.paid_before))
            self.used = self.paid() - self.paid_before

    def resources(self, wants):
        """The labels `models` and `tagger` hold where some node has them (`ray start --resources`)."""
        labels = {"models": wants["models"], "tagger": wants["taggers"]}
        known = ray.cluster_resources()
        labels = {name: 1 for name, wanted in labels.items() if wanted and name in known}
        return {"num_cpus": wants["cpus"], "memory": wants["memory_mib"] << 20, "resources": labels}

    def bar(self, what, flying, end=""):
        full = 24 * self.done // max(1, self.all)
        left = f", ${self.usd.free / 1e6:.2f} free" if self.usd.free is not None else ""
        line = f"\r[{'#' * full}{'.' * (24 - full)}] {self.done}/{self.all} {what}, {flying} shards in flight, {self.again} again{left}"
        if sys.stderr.isatty() or end:
            print(f"{line}  {time.time() - self.started:.0f} s\x1b[K", end=end, file=sys.stderr, flush=True)


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
    ray.init(address=args.address, log_to_driver=False, logging_level="error")
    # `timeout` and schedulers end a job by SIGTERM: the same as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        driver = Driver(args)
        return driver.build()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
