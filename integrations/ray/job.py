"""A job of the plan: its shards, so many at once, each with its share of the rates and of the money."""

import sys

DONE, MODEL, AGAIN = 0, 8, 75
# What a run is told of the rates of a model, and what the plan calls them.
RATES = {"--requests-per-minute": "requests_per_minute", "--tokens-per-minute": "tokens_per_minute", "--in-flight": "concurrency"}


class Share:
    """What is divided: each shard gets an equal part of what is free, and gives back what it left. None: there is no limit."""

    def __init__(self, total):
        self.free = total

    def take(self, among):
        if self.free is None:
            return None
        part = self.free // max(1, among)
        self.free -= part
        return part

    def give(self, part):
        if part is not None:
            self.free += part


class Shard:
    def __init__(self, name, units):
        self.name, self.units = name, units
        self.lost, self.due, self.pause, self.held_since = 0, 0, 0.5, None


class Job:
    """The shards of a job, so many at once; where a model is asked, as many as its rates allow."""

    def __init__(self, driver, plan, job):
        self.driver, self.cluster, self.usd = driver, driver.cluster, driver.usd
        self.number, self.step, self.wants = job["number"], job["step"], job["wants"]
        self.title = f"job {self.number}/{len(plan['jobs'])}: {','.join(job['steps'])}"
        # Large shards first, so that none of them is the last. A corpus stage has no shards: it is one run for all units.
        shards = sorted((one for one in job["shards"] if one["run"]), key=lambda one: -one["run"])
        self.waiting = [Shard(one["shard"], one["run"]) for one in shards] or [Shard(None, job["run"])]
        self.flying, self.starved = {}, []
        asked = [one for one in plan["models"] if one["model"] in self.wants["models"]]
        self.rates = [(flag, one["model"], Share(one[key])) for one in asked for flag, key in RATES.items() if one[key]]
        room = max(1, int(self.cluster.cpus() / self.wants["cpus"]))
        # What a shard leaves of a rate is free for those behind it alone. So few at once, with some requests in flight each.
        for flag, _, rate in self.rates:
            if flag == "--in-flight":
                room = min(room, max(2, min(len(self.waiting) // 4, rate.free // 8)))
        self.at_once = min([driver.args.at_once or room, len(self.waiting)] + [rate.free for *_, rate in self.rates])

    def run(self):
        try:
            while self.waiting or self.flying or self.starved:
                if not self.waiting and not self.flying:
                    # Alone, with all that is left.
                    self.waiting.append(self.starved.pop(0))
                due = [shard for shard in self.waiting if shard.due <= self.cluster.now()]
                for shard in due[: self.at_once - len(self.flying)]:
                    self.start(shard)
                self.driver.bar(self.title, len(self.flying))
                for task in self.cluster.wait(list(self.flying), 1):
                    self.ended(task)
        except BaseException:
            self.cluster.stop(list(self.flying))
            raise

    def start(self, shard):
        self.waiting.remove(shard)
        usd = self.usd.take(len(self.waiting) + 1) if self.wants["models"] else None
        parts = [rate.take(self.at_once - len(self.flying)) for *_, rate in self.rates]
        command = self.driver.words("build", "--step", self.step, "--message-format", "json", *self.driver.prices)
        if shard.name:
            command += ["--shard", shard.name, "--threads", str(max(1, int(self.wants["cpus"])))]
        if usd is not None:
            command += ["--max-usd", f"{usd / 1e6:.6f}"]
        for (flag, model, _), part in zip(self.rates, parts):
            command += [flag, f"{model}={part}"]
        self.driver.note(what="started", job=self.number, shard=shard.name, usd=usd, parts=parts)
        self.flying[self.cluster.start(command, self.wants)] = (shard, usd, parts)

    def ended(self, task):
        shard, usd, parts = self.flying.pop(task)
        for (*_, rate), part in zip(self.rates, parts):
            rate.give(part)
        code, last, said = self.cluster.result(task)
        lost, code = code is None, AGAIN if code is None else code
        used = self.driver.lost(usd) if lost else (last.get("used") or {}).get("micro_usd", 0)
        self.driver.used += used
        self.usd.give(usd if usd is None else max(0, usd - used))
        self.driver.note(what="lost" if lost else "ended", job=self.number, shard=shard.name, code=code, used=used)
        if code != DONE and not self.flying:
            self.driver.settle()
        if code == DONE:
            self.driver.done += shard.units
        elif self.goes_on(shard, code, lost, usd, used):
            self.driver.again += 1
            self.waiting.append(shard)
        elif code == MODEL and usd is not None and (self.flying or usd < self.usd.free):
            # Too small a share to ask anything with; those in flight may leave more.
            self.starved.append(shard)
        else:
            print(f"\n{self.step} {shard.name or ''}: exit code {code}\n{said}", file=sys.stderr)
            sys.exit(code)

    def goes_on(self, shard, code, lost, usd, used):
        if lost:
            shard.lost += 1
            return shard.lost <= self.driver.args.tries
        if code == AGAIN:
            # A file server keeps the locks of a dead node for a while: 90 seconds for NFS.
            now = self.cluster.now()
            shard.held_since = shard.held_since or now
            shard.pause = min(60, 2 * shard.pause)
            shard.due = now + shard.pause
            return now - shard.held_since < self.driver.args.patience
        # A share that is used up is filled again from what others left, as long as that gets on.
        return code == MODEL and usd is not None and used > 0
