"""Laws of the simulation: plain Python, no Ray, no program."""

import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import job  # noqa: E402
import simulate  # noqa: E402


def of_units(number, steps, models):
    wants = {"cpus": 0.25 if models else 1, "memory_mib": 1, "models": models, "taggers": []}
    return {"number": number, "step": str(number), "steps": steps, "of": "units", "shards": [], "run": 1, "wants": wants}


PLAN = {
    "steps": [{"number": at, "step": kind, "kind": kind} for at, kind in enumerate(["chunk", "summarize", "distort"], 1)],
    "jobs": [of_units(1, ["chunk"], []), of_units(2, ["summarize", "distort"], ["m"])],
    "models": [{"model": "m", "requests_per_minute": None, "tokens_per_minute": None, "concurrency": 8}],
}
LOT = random.Random(5)
CALLS = [
    {"stage": stage, "unit": f"b{book}", "attempt": attempt, "millis": int(LOT.lognormvariate(8, 0.6)), "tokens_in": 500, "tokens_out": 100}
    for book in range(4)
    for stage, attempt, count in (("summarize", 0, 12), ("summarize", 1, 2), ("distort", 0, 9))
    for _ in range(count)
]


def play(books, nodes, *words, traced=True):
    args = simulate.parsed(["calls", "plan", *words])
    world = simulate.World(args, PLAN, simulate.Recorded(map(json.dumps, CALLS), PLAN, args), books, nodes)
    world.trace = [] if traced else None
    try:
        world.code = world.build()
    except SystemExit as ended:
        world.code = ended.code
    return world


def most_a_minute(trace):
    """The largest sums over a minute: of requests, and of tokens but for the one request that may go into debt."""
    trace, first, tokens, most = sorted(trace), 0, 0, [0, 0]
    for at, (start, count) in enumerate(trace):
        tokens += count
        while trace[first][0] <= start - 60:
            tokens -= trace[first][1]
            first += 1
        most = [max(most[0], at - first + 1), max(most[1], tokens)]
    return most


# Every call is answered once, whatever is refused or lost on the way, and what was sent is accounted for.
for words in ([], ["--refused", "0.2", "--hung", "0.002"], ["--lose", "2", "--lose-hours", "0.02"]):
    world = play(120, 4, *words)
    count = world.count
    assert world.code == 0 and world.calls == 120 * 23 == count["answered"], (words, count)
    assert count["sent"] == sum(count[why] for why in ("answered", "refused", "hung", "lost in flight")), (words, count)
    assert not any(asking.books for asking in world.asking.values())
assert count["lost in flight"] > 0 and world.again > 1, (count, world.again)

# The same seed, the same result; another seed, another.
hours = [play(120, 2, "--refused", "0.1", "--seed", seed).cluster.time for seed in "112"]
assert hours[0] == hours[1] != hours[2], hours

# Twice the nodes take no longer: neither where they bring places for requests nor where a limit holds all. What a shard leaves of
# a rate is free for those behind it alone, so it is said of the mean of some seeds, and within some hundredths.
for words in ([], ["--shards", "7"], ["--refused", "0.05"], ["--requests-per-minute", "900"]):
    times = [sum(play(240, nodes, *words, "--seed", seed).hours() for seed in "123") for nodes in (1, 2, 4, 8, 16)]
    assert all(more <= less * 1.05 for less, more in zip(times, times[1:])), (words, times)
    assert words[:1] == ["--requests-per-minute"] or times[-1] < 0.75 * times[0], (words, times)

# Where nothing but places holds calls back, a shorter way says the same.
ways = [play(120, 2, "--seed", seed, traced=traced).hours() for seed in "12" for traced in (True, False)]
assert ways[0] == ways[1] and ways[2] == ways[3], ways

# Limits of a minute hold over all shards. A run may begin with what a second brings, or one request, and go into debt for one.
for flag, limit, at, largest in (("--requests-per-minute", 600, 0, 1), ("--tokens-per-minute", 120_000, 1, 600)):
    world = play(240, 4, flag, str(limit))
    used = most_a_minute(world.trace)[at]
    assert 0.8 * limit < used <= limit * 61 / 60 + len(world.asking) * largest, (flag, used)

# A budget holds, and what it does not reach for is left.
price = ["--usd-in", "10", "--usd-out", "100"]
cost = 120 * 23 * (500 * 10 + 100 * 100) / 1e6
world = play(120, 4, *price, "--max-usd", str(cost / 2))
assert world.code == job.MODEL and 0.95 * cost / 2 < world.spent / 1e6 <= cost / 2, (world.code, world.spent, cost)
world = play(120, 4, *price, "--max-usd", str(cost * 1.001), "--lose", "1", "--lose-hours", "0.02")
assert world.code == 0 and world.again > 0 and world.count["answered"] == 120 * 23, (world.code, world.count)

# A round of batches takes as long for many books as for few: three here, two of summaries and one of distortions.
assert [round(play(books, 2, "--batches", "24").hours()) for books in (20, 200)] == [72, 72]
print("simulation: calls, seeds, nodes, limits, money and batches")
