"""Shares of a budget and shards that must wait, on a stand-in for the cluster: no Ray, no program, no clock."""

import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import drive  # noqa: E402
import job  # noqa: E402


class Cluster:
    """Runs shards in the order in which they were started; `needs` says what each has to pay, in millionths."""

    def __init__(self, needs, held):
        self.needs, self.held, self.started, self.paid, self.time = dict(needs), list(held), [], 0, 0.0

    def now(self):
        return self.time

    def cpus(self):
        return 2

    def start(self, command, wants):
        words = dict(zip(command, command[1:]))
        share = round(float(words["--max-usd"]) * 1e6) if "--max-usd" in words else None
        self.started.append((words["--shard"], share))
        return (len(self.started), words["--shard"], share)

    def wait(self, tasks, seconds):
        self.time += seconds
        return sorted(tasks)[:1]

    def result(self, task):
        _, shard, share = task
        if shard in self.held:
            self.held.remove(shard)
            return job.AGAIN, {}, ""
        used = self.needs[shard] if share is None else min(share, self.needs[shard])
        self.needs[shard] -= used
        self.paid += used
        return job.MODEL if self.needs[shard] else job.DONE, {"used": {"micro_usd": used}}, ""

    def stop(self, tasks):
        pass


def play(needs, budget, held=(), patience=600):
    cluster = Cluster(needs, held)
    args = types.SimpleNamespace(at_once=2, tries=5, patience=patience, max_usd=budget, prices=None, log=None)
    args.storymill = args.workflow = args.store = ""
    drive.Driver.paid = lambda driver: cluster.paid
    driver = drive.Driver(args, cluster)
    wants = {"models": ["m"], "taggers": 0, "cpus": 1, "memory_mib": 1}
    shards = [{"shard": shard, "run": 1} for shard in needs]
    one = {"number": 1, "steps": ["a"], "step": "a", "shards": shards, "wants": wants, "run": 2}
    model = {"model": "m", "requests_per_minute": None, "tokens_per_minute": None, "concurrency": 0}
    try:
        job.Job(driver, {"jobs": [one], "models": [model]}, one).run()
    except SystemExit as ended:
        return ended.code, driver, cluster
    return 0, driver, cluster


# What is left goes to whoever needs more, though one of them had used up its own share while another was in flight.
code, driver, cluster = play({"1/2": 5_200_000, "2/2": 1_000_000}, 10)
assert code == 0 and driver.done == 2, (code, cluster.started)
# Too little for both: it ends, and never hands out more than there is.
code, driver, cluster = play({"1/2": 8_000_000, "2/2": 4_000_000}, 10)
assert code == job.MODEL, (code, cluster.started)
# A store that is held for a while is waited for; for ever it is not.
code, driver, cluster = play({"1/2": 1, "2/2": 1}, None, ["1/2"] * 7)
assert code == 0 and cluster.time > 90, (code, cluster.time)
code, driver, cluster = play({"1/2": 1}, None, ["1/2"] * 1000, 300)
assert code == job.AGAIN and 300 <= cluster.time < 500, (code, cluster.time)
print("shares: 4 plays")
