"""Shares of a budget and shards that must wait, with a stand-in for Ray: no cluster, no program, no clock."""

import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
ray = types.ModuleType("ray")
ray.exceptions = types.SimpleNamespace(RayError=type("RayError", (Exception,), {}))
ray.cluster_resources = lambda: {"CPU": 2}
ray.cancel = lambda task: None
sys.modules["ray"] = ray

import drive  # noqa: E402


class Cluster:
    """Runs tasks in the order in which they were started; `needs` says what each shard has to pay, in millionths."""

    def __init__(self, needs, held=()):
        self.needs, self.held, self.started, self.now = dict(needs), list(held), [], 0.0

    def remote(self, _):
        return types.SimpleNamespace(options=lambda **_: types.SimpleNamespace(remote=self.start))

    def start(self, command):
        words = dict(zip(command, command[1:]))
        shard, share = words["--shard"], round(float(words.get("--max-usd", "inf")) * 1e6) if "--max-usd" in words else None
        self.started.append((shard, share))
        return (len(self.started), shard, share)

    def wait(self, tasks, **_):
        self.now += 1
        return sorted(tasks)[:1], []

    def get(self, task):
        _, shard, share = task
        if shard in self.held:
            self.held.remove(shard)
            return drive.AGAIN, {}, ""
        used = self.needs[shard] if share is None else min(share, self.needs[shard])
        self.needs[shard] -= used
        return drive.MODEL if self.needs[shard] else drive.DONE, {"used": {"micro_usd": used}}, ""


def play(needs, budget, held=(), patience=600):
    cluster = Cluster(needs, held)
    ray.remote, ray.wait, ray.get = cluster.remote, cluster.wait, cluster.get
    drive.time = types.SimpleNamespace(time=lambda: cluster.now, sleep=lambda seconds: setattr(cluster, "now", cluster.now + seconds))
    driver = object.__new__(drive.Driver)
    driver.args = types.SimpleNamespace(
        at_once=2, storymill="s", workflow="w", store="d", tries=5, patience=patience, max_usd=budget
    )
    driver.started = driver.again = driver.used = driver.done = driver.paid_before = 0
    driver.all, driver.log, driver.models = len(needs), None, []
    driver.usd = drive.Share(None if budget is None else int(budget * 1e6))
    driver.paid = lambda: 0
    wants = {"models": ["m"], "taggers": 0, "cpus": 1, "memory_mib": 1}
    shards = [{"shard": shard, "run": 1} for shard in needs]
    limits = {"m": {"model": "m", "requests_per_minute": 0, "tokens_per_minute": 0, "concurrency": 0}}
    try:
        driver.job({"number": 1, "step": "a", "shards": shards, "wants": wants, "run": 2}, limits, "a")
    except SystemExit as ended:
        return ended.code, driver, cluster
    return 0, driver, cluster


# What is left goes to whoever needs more, though one of them had used up its own share while another was in flight.
code, driver, cluster = play({"1/2": 5_200_000, "2/2": 1_000_000}, 10)
assert code == 0 and driver.done == 2, (code, cluster.started)
# Too little for both: it ends, and never hands out more than there is.
code, driver, cluster = play({"1/2": 8_000_000, "2/2": 4_000_000}, 10)
assert code == drive.MODEL, (code, cluster.started)
# A store that is held for a while is waited for; for ever it is not.
code, driver, cluster = play({"1/2": 1, "2/2": 1}, None, ["1/2"] * 7)
assert code == 0 and cluster.now > 90, (code, cluster.now)
code, driver, cluster = play({"1/2": 1}, None, ["1/2"] * 1000, 300)
assert code == drive.AGAIN and 300 <= cluster.now < 500, (code, cluster.now)
print("shares: 4 plays")
