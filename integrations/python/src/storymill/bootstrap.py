"""Means, and their intervals by resampling whole clusters, with a seed."""

from typing import Dict, Optional, Sequence, Tuple

from . import _storymill


def mean(values: Sequence[float]) -> Optional[float]:
    """The arithmetic mean; none of nothing."""
    return _storymill.mean(list(values))


def interval(rows: Sequence[Tuple[str, float]], seed: int) -> Optional[Dict[str, float]]:
    """The 95 % interval of a mean over rows of cluster and value; none for fewer than five clusters."""
    found = _storymill.interval(list(rows), seed)
    return None if found is None else dict(zip(("value", "low", "high"), found))
