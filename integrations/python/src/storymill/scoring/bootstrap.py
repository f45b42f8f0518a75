"""Means, and their intervals by resampling whole clusters, with a seed.

Rows of one book stand or fall together, so each round draws as many *clusters* as there are, with
replacement (Efron and Tibshirani 1993, percentile interval). The draws are SplitMix64's (Steele,
Lea and Flood 2014), the same as the program's. Sums run in row order: the last digit depends on it.
"""

from functools import lru_cache
from math import floor
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

ROUNDS = 2000
LEVEL = 0.95
_ALL = (1 << 64) - 1


def mean(values: Sequence[float]) -> Optional[float]:
    """The arithmetic mean; none of nothing."""
    return _sum(values) / len(values) if values else None


def interval(rows: Sequence[Tuple[str, float]], seed: int) -> Optional[Dict[str, float]]:
    """The interval of a mean over clusters; none for fewer than two clusters."""
    clusters: Dict[str, Tuple[float, int]] = {}
    for cluster, value in rows:
        total, n = clusters.get(cluster, (0.0, 0))
        clusters[cluster] = total + value, n + 1
    if len(clusters) < 2:
        return None
    sums = [clusters[name] for name in sorted(clusters)]
    means = []
    for draws in _rounds(len(sums), seed):
        total, n = 0.0, 0
        for at in draws:
            more, size = sums[at]
            total += more
            n += size
        means.append(total / n)
    means.sort()
    tail = (1.0 - LEVEL) / 2.0
    value = _sum(value for _, value in rows) / len(rows)
    return {"value": value, "low": _quantile(means, tail), "high": _quantile(means, 1.0 - tail)}


def _sum(values: Iterable[float]) -> float:
    # Not the built-in one: since Python 3.12 it corrects for what rounding lost.
    total = 0.0
    for value in values:
        total += value
    return total


@lru_cache(maxsize=4)
def _rounds(clusters: int, seed: int) -> List[List[int]]:
    limit = _ALL - _ALL % clusters
    state, rounds = seed & _ALL, []
    for _ in range(ROUNDS):
        draws: List[int] = []
        while len(draws) < clusters:
            state = (state + 0x9E3779B97F4A7C15) & _ALL
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
            z ^= z >> 31
            # Numbers at the uneven end of the range are drawn again.
            if z < limit:
                draws.append(z % clusters)
        rounds.append(draws)
    return rounds


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, linear between neighbours."""
    place = share * (len(ordered) - 1)
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
