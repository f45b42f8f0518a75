"""How long the model calls of a workflow take on so many nodes: the driver itself, on a clock of its own.

    storymill answers calls --answers store/answers > calls.jsonl         # of a pilot: what calls took
    storymill plan my.toml --store store --steps --format json > plan.json
    python simulate.py calls.jsonl plan.json --books 1500 70000 --nodes 1 16

`drive.py` and `job.py` divide plan, rates and money here as they do on a cluster. What is played is the nodes, and in each
shard what `storymill build` does: waves of requests, so many in flight, so many a minute, again after a refusal. Each book
is one of the recorded books with its calls, and what a call takes is drawn from that book's calls of the same step and
round. docs/scale.md says what is assumed.
"""

import argparse
import heapq
import json
import math
import random
import sys
from collections import Counter, defaultdict

import drive
import job

# As in the program: how many first answers are looked at, how many requests are sent at once, and its waits.
LOOK_AT, MOST, FIRST_WAIT, LONGEST_WAIT, LONGEST_SILENCE = 20, 2000, 0.5, 30, 600
# The driver hears of a lost node after so many seconds.
NOTICED = 30
FLAGS = {"--requests-per-minute": "requests", "--tokens-per-minute": "tokens", "--in-flight": "flying"}


class Bucket:
    """A limit per minute: it fills evenly, holds what a second brings, and may go into debt for one request."""

    def __init__(self, per_minute, now):
        self.rate, self.at = per_minute / 60, now
        self.level = self.most = max(1, self.rate)

    def take(self, now, needed):
        """When what is needed is there; it is taken then."""
        if now > self.at:
            self.level, self.at = min(self.most, self.level + (now - self.at) * self.rate), now
        missing = min(needed, self.most) - self.level
        if missing > 0:
            self.level, self.at = self.level + missing, self.at + missing / self.rate
        self.level -= needed
        return self.at


class Recorded:
    """The calls of a log: of each book what it asked, by step and round. A call is seconds, tokens and millionths of a dollar."""

    def __init__(self, lines, plan, args):
        step_of = {step["kind"]: step["number"] for step in reversed(plan["steps"])}
        name_of = {step["number"]: step["step"] for step in plan["steps"]}
        job_of = {name: one["number"] for one in plan["jobs"] for name in one["steps"] if one["wants"]["models"]}
        calls = [call for call in map(json.loads, lines) if job_of.get(name_of.get(step_of.get(call["stage"])))]
        if not calls:
            raise SystemExit("no recorded call is of a step of this plan that asks a model")
        mean = sum(call["millis"] for call in calls) / len(calls)
        seconds = args.mean_seconds / mean if args.mean_seconds else 1e-3
        books = defaultdict(lambda: defaultdict(list))
        for call in calls:
            tokens_in, tokens_out = call["tokens_in"] or 0, call["tokens_out"] or 0
            usd = tokens_in * args.usd_in + tokens_out * args.usd_out
            made = books[call["unit"]][step_of[call["stage"]], call["attempt"]]
            made.append((call["millis"] * seconds, tokens_in + tokens_out, usd))
        self.mean = mean * seconds
        # A recorded book may be shorter than those that are simulated.
        times = args.calls_per_book * len(books) / len(calls) if args.calls_per_book else 1
        self.books = [
            [(job_of[name_of[step]], step, len(made) * times, made) for (step, _), made in sorted(book.items())]
            for _, book in sorted(books.items())
        ]
        self.rounds = {one["number"]: 0 for one in plan["jobs"]}
        for number in self.rounds:
            self.rounds[number] = max(sum(of == number for of, *_ in book) for book in self.books)

    def book(self, number, lot):
        """What some book has to ask in a job: of each step and round, how many calls, and which are drawn from."""
        groups = [(step, int(count + lot.random()), made) for of, step, count, made in lot.choice(self.books) if of == number]
        return [[step, count, made] for step, count, made in reversed(groups) if count]


class Asking:
    """What is left to ask for one shard. A run of it goes on where the one before ended, as one that finds answers in the log."""

    def __init__(self, world, number, name, units):
        self.world, self.lot = world, random.Random(f"{world.args.seed} {number} {name}")
        self.books = [book for book in (world.recorded.book(number, self.lot) for _ in range(units)) if book]

    def wave(self, known):
        """What a run sends next: of each book calls of one step and round, and of each step as many as it dares."""
        room, wave = defaultdict(lambda: LOOK_AT), []
        room.update({step: min(MOST, max(LOOK_AT, 3 * count)) for step, count in known.items()})
        for book in self.books:
            step, count, made = book[-1]
            taken = min(count, room[step])
            room[step] -= taken
            wave += [(call, book) for call in self.lot.choices(made, k=taken)]
        return wave

    def run(self, now, until, limits, money):
        """Asks until all is answered, the money does not reach, or the node is lost: when, the exit code, and what it paid."""
        args, paid, known = self.world.args, 0, Counter()
        buckets = [(Bucket(limits[name], now), name == "tokens") for name in ("requests", "tokens") if name in limits]
        is_free = not buckets and until == money == math.inf and not args.refused and not args.hung and self.world.trace is None
        while self.books:
            wave = self.wave(known)
            most = limits.get("flying", len(wave))
            if is_free:
                now = self.ask_freely(wave, now, most, known)
            else:
                now, spent = self.ask(wave, now, until, most, buckets, money - paid, known)
                paid += spent
            self.books = [book for book in self.books if book]
            if now >= until:
                return until, None, paid
            if wave:
                return now, job.MODEL, paid
        return now, job.DONE, paid

    def ask_freely(self, wave, now, most, known):
        """The same as `ask` where nothing but the places holds calls back, in a fraction of the time."""
        places = [now] * min(most, len(wave))
        for call, book in wave:
            heapq.heapreplace(places, places[0] + call[0])
            self.answered(book, known)
        self.world.count["sent"] += len(wave)
        wave.clear()
        return max(places)

    def ask(self, wave, now, until, most, buckets, money, known):
        """Sends a wave: when its last answer is there, and what was paid. What the money did not reach for stays in the wave."""
        wave.reverse()
        flying, paid, promised, order = [], 0, 0, 0
        while True:
            # The place of a call stays taken until it is answered, also while it waits to be sent again.
            if wave and len(flying) < most and promised + wave[-1][0][2] <= money:
                (call, book), tries = wave.pop(), 0
                promised += call[2]
            elif flying:
                now, _, tries, call, book, is_answer = heapq.heappop(flying)
                if now >= until:
                    self.world.count["lost in flight"] += is_answer + sum(one[5] for one in flying)
                    return until, paid
                if is_answer:
                    paid += call[2]
                    self.answered(book, known)
                    continue
            else:
                return now, paid
            start, order = now, order + 1
            for bucket, of_tokens in buckets:
                start = bucket.take(start, call[1] if of_tokens else 1)
            ends, is_answer = self.world.sent(start, until, call, tries, self.lot)
            heapq.heappush(flying, (ends, order, tries + 1, call, book, is_answer))

    def answered(self, book, known):
        group = book[-1]
        self.world.count["answered"] += 1
        known[group[0]] += 1
        group[1] -= 1
        if not group[1]:
            book.pop()


class Nodes:
    """Stands in for `cluster.Cluster`: nodes with so many processors, some of which are lost on the way, and a clock."""

    def __init__(self, world, cpus, dies):
        self.world, self.size, self.dies, self.time, self.number = world, cpus, dies, 0.0, 0
        self.free, self.queue, self.ends, self.results = [cpus] * len(dies), [], [], {}

    def now(self):
        return self.time

    def alive(self):
        return [node for node, dies in enumerate(self.dies) if dies > self.time]

    def cpus(self):
        return self.size * len(self.alive())

    def start(self, command, wants):
        self.number += 1
        self.queue.append((self.number, command, wants["cpus"]))
        self.place()
        return self.number

    def place(self):
        """Begins what waits for a node, where one has room."""
        while self.queue and (alive := self.alive()):
            number, command, cpus = self.queue[0]
            node = max(alive, key=self.free.__getitem__)
            if self.free[node] < cpus:
                return
            self.queue.pop(0)
            self.free[node] -= cpus
            ends, code, paid = self.world.run(command, self.time, self.dies[node])
            heapq.heappush(self.ends, (ends if code is not None else ends + NOTICED, number, node, cpus))
            self.results[number] = code, {"used": {"micro_usd": round(paid)}}, "" if code == job.DONE else "simulated"

    def wait(self, tasks, seconds):
        if not self.ends:
            if tasks:
                sys.exit("no node is left")
            self.time += seconds
            return []
        ends, number, node, cpus = heapq.heappop(self.ends)
        self.time = max(self.time, ends)
        self.free[node] += cpus
        self.world.spent += self.results[number][1]["used"]["micro_usd"]
        self.place()
        return [number]

    def result(self, task):
        return self.results.pop(task)

    def stop(self, tasks):
        pass


class World(drive.Driver):
    """The driver over a plan with so many books, on nodes that are played."""

    def __init__(self, args, plan, recorded, books, nodes):
        self.recorded, self.books, self.spent, self.count, self.trace = recorded, books, 0, Counter(), None
        self.lot = random.Random(f"{args.seed} {books} {nodes}")
        self.plan = self.larger(plan, args, books, nodes)
        self.jobs = {one["step"]: one for one in self.plan["jobs"]}
        units = [one for one in plan["jobs"] if one["of"] == "units" and not one["wants"]["models"]]
        self.cpu = args.cpu / max(1, len(units))
        self.asking, self.calls, self.spans = {}, 0, {}
        dies = [math.inf] * nodes
        for node in range(min(args.lose, nodes - 1)):
            # One after the other, and never the last.
            dies[node] = 3600 * args.lose_hours * (node + 1)
        super().__init__(args, Nodes(self, args.cpus, dies))

    def larger(self, plan, args, books, nodes):
        """The plan with so many books in place of those it lists. The hash that divides them is played by chance."""
        many = args.shards or min(1000, math.ceil(books / 20))
        jobs = []
        for one in plan["jobs"]:
            units = Counter(self.lot.randrange(many) for _ in range(books))
            shards = [{"shard": f"{at + 1}/{many}", "run": units[at]} for at in range(many)]
            whole = one["of"] == "corpus" or args.batches and one["wants"]["models"]
            jobs.append({**one, "run": books, "shards": [] if whole else shards})
        rates = {"requests_per_minute": args.requests_per_minute, "tokens_per_minute": args.tokens_per_minute}
        models = [{**one, **rates, "concurrency": args.in_flight * nodes} for one in plan["models"]]
        return {**plan, "jobs": jobs, "models": models}

    def ask(self, command, *more):
        return self.plan

    def paid(self):
        return self.spent

    def bar(self, what, flying=0, end=""):
        pass

    def note(self, what, job, **_):
        span = self.spans.setdefault(job, [self.cluster.time, 0])
        span[1] = self.cluster.time

    def hours(self):
        """How long the jobs took that ask a model."""
        asking = [one["number"] for one in self.plan["jobs"] if one["wants"]["models"]]
        return sum(self.spans[number][1] - self.spans[number][0] for number in asking) / 3600

    def publish(self):
        self.cluster.time += self.books * self.args.publish
        return job.DONE

    def run(self, command, now, until):
        """What a node does with a command of the driver: when it ends, the exit code, and what it paid."""
        words = dict(zip(command, command[1:]))
        one, shard = self.jobs[words["--step"]], words.get("--shard")
        units = next((each["run"] for each in one["shards"] if each["shard"] == shard), one["run"])
        now += self.args.begin
        if not one["wants"]["models"]:
            now += units * (self.args.corpus if one["of"] == "corpus" else self.cpu)
        elif shard is None:
            now += self.recorded.rounds[one["number"]] * self.args.batches * 3600
        elif now < until:
            return self.ask_models(one["number"], shard, units, words, now, until)
        return (now, job.DONE, 0) if now < until else (until, None, 0)

    def ask_models(self, number, shard, units, words, now, until):
        if (number, shard) not in self.asking:
            asking = self.asking[number, shard] = Asking(self, number, shard, units)
            self.calls += sum(count for book in asking.books for _, count, _ in book)
        limits = {name: int(words[flag].split("=")[1]) for flag, name in FLAGS.items() if flag in words}
        money = float(words.get("--max-usd", "inf")) * 1e6
        return self.asking[number, shard].run(now, until, limits, money)

    def sent(self, start, until, call, tries, lot):
        """A request that goes out: when the client hears of it, and whether it is an answer."""
        args = self.args
        if start >= until:
            return math.inf, False
        self.count["sent"] += 1
        if self.trace is not None:
            self.trace.append((start, call[1]))
        fate = lot.random() if args.refused or args.hung else 1
        if fate < args.refused:
            self.count["refused"] += 1
            return start + args.refusal_seconds + min(LONGEST_WAIT, FIRST_WAIT * 2**tries) * (1 - lot.random() / 4), False
        if fate < args.refused + args.hung:
            self.count["hung"] += 1
            return start + LONGEST_SILENCE + FIRST_WAIT, False
        return start + call[0], True


def parsed(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    number = {"type": float, "metavar": "N"}
    parser.add_argument("calls", help="what `storymill answers calls` printed")
    parser.add_argument("plan", help="what `storymill plan --steps --format json` printed")
    parser.add_argument("--books", type=int, nargs="+", default=[1500])
    parser.add_argument("--nodes", type=int, nargs="+", default=[1])
    parser.add_argument("--cpus", help="of a node", default=16, **number)
    parser.add_argument("--in-flight", type=int, default=64, help="requests in flight that the workflow allows, for each node")
    parser.add_argument("--requests-per-minute", type=int)
    parser.add_argument("--tokens-per-minute", type=int)
    parser.add_argument("--shards", type=int, help="of each job [one for 20 books, 1000 at most]")
    parser.add_argument("--at-once", type=int, help="shards under way at once, as for the driver")
    parser.add_argument("--calls-per-book", help="on average, where recorded books are shorter", **number)
    parser.add_argument("--mean-seconds", help="of a call: the recorded times, stretched to this mean", **number)
    parser.add_argument("--refused", default=0, help="share of requests that get a 429 or 5xx", **number)
    parser.add_argument("--refusal-seconds", default=0.2, help="until such an answer is there", **number)
    parser.add_argument("--hung", default=0, help="share of requests that are never answered", **number)
    parser.add_argument("--lose", type=int, default=0, help="nodes that are lost, one after the other")
    parser.add_argument("--lose-hours", default=1, help="between two that are lost", **number)
    parser.add_argument("--batches", default=0, help="hours of one round of batches, in place of live calls", **number)
    parser.add_argument("--begin", default=1, help="seconds until a shard begins", **number)
    parser.add_argument("--cpu", default=1.1, help="seconds of CPU for each book in jobs that ask nobody", **number)
    parser.add_argument("--corpus", default=0.001, help="seconds for each book in a corpus stage", **number)
    parser.add_argument("--publish", default=0.4, help="seconds for each book to publish", **number)
    parser.add_argument("--max-usd", help="for all of it", **number)
    parser.add_argument("--usd-in", default=0, help="dollars for a million tokens read", **number)
    parser.add_argument("--usd-out", default=0, help="dollars for a million tokens written", **number)
    parser.add_argument("--seed", type=int, default=1)
    # What the driver has besides.
    parser.set_defaults(tries=5, patience=600, prices=None, log=None, storymill="", workflow="", store="")
    return parser.parse_args(words)


def main():
    args = parsed()
    with open(args.plan) as plan, open(args.calls) as calls:
        plan, lines = json.load(plan), list(calls)
    recorded = Recorded(lines, plan, args)
    print("| books | nodes | calls | hours | of which the calls | multiplied by hand | sent again | shards again |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for books in args.books:
        for nodes in args.nodes:
            world = World(args, plan, recorded, books, nodes)
            world.build()
            by_hand = world.calls * recorded.mean / (args.in_flight * nodes) / 3600
            again = world.count["sent"] - world.count["answered"]
            times = f"{world.cluster.time / 3600:,.1f} | {world.hours():,.1f} | {by_hand:,.1f}"
            print(f"| {books:,} | {nodes} | {world.calls:,} | {times} | {again:,} | {world.again} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
