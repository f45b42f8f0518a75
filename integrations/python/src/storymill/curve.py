"""The forgetting curve: how much is right by how far back the answer lies.

Bins double: 1,024 to 2,047 words back, 2,048 to 4,095, and so on, as in the figure of a data card. A mean in a bin
has an interval by resampling whole clusters (`storymill.bootstrap`), so a book or an author is kept together.
"""

from typing import Iterable, List, NamedTuple, Optional, Tuple

from . import bootstrap


class Bin(NamedTuple):
    """A stretch of the curve."""

    low: int
    """The least length that is in it."""
    high: int
    """The least length that is no longer in it."""
    rows: int
    mean: float
    interval: Optional[Tuple[float, float]]
    """95 %; none for fewer than five clusters."""

    @property
    def name(self) -> str:
        return name(self.low)


def low(length: int) -> int:
    """The lower end of the bin of a length. Nothing is as good as one: both are in the first."""
    return 1 << (max(length, 1).bit_length() - 1)


def name(low: int) -> str:
    """`512-1k`, `1k-2k`: a bin by its lower end, as a report labels it. 1k is 1,024."""
    return f"{_short(low if low > 1 else 0)}-{_short(2 * low)}"


def _short(length: int) -> str:
    for size, unit in ((1 << 20, "M"), (1 << 10, "k")):
        if length >= size:
            return f"{length // size}{unit}"
    return str(length)


def curve(rows: Iterable[Tuple[int, str, float]], seed: int = 0) -> List[Bin]:
    """The bins of rows of length, cluster and score, the shortest first. A bin without rows is left out."""
    bins: "dict[int, List[Tuple[str, float]]]" = {}
    for length, cluster, score in rows:
        bins.setdefault(low(length), []).append((cluster, score))
    found = []
    for start in sorted(bins):
        mean = bootstrap.mean([score for _, score in bins[start]])
        interval = bootstrap.interval(bins[start], seed)
        ends = None if interval is None else (interval["low"], interval["high"])
        found.append(Bin(start, 2 * start, len(bins[start]), mean or 0.0, ends))
    return found
