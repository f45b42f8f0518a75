"""Logistic regression over the options of questions: which one would be chosen from its own features?

The conditional logit of McFadden (1974): each option has a sum of its features with one set of weights, and the
chances of a question's options are the softmax of these sums. Weights are found by Newton's method, with a ridge.
"""

from typing import Any, List, Sequence, Tuple

import numpy

STEPS = 25
ENOUGH = 1e-6

Asked = Tuple[Any, int]
"""An array with a row of features for each option, and the right one's position."""


def fitted(asked: Sequence[Asked], ridge: float) -> Any:
    """The weights that make what is right likeliest, less `ridge` times half their squares."""
    width = asked[0][0].shape[1]
    groups = _same_size(asked)
    weights = numpy.zeros(width)
    for _ in range(STEPS):
        slope, bend = ridge * weights, ridge * numpy.eye(width)
        for features, right in groups:
            chances = _chances(features, weights)
            expected = numpy.einsum("qo,qof->qf", chances, features)
            slope -= (features[numpy.arange(len(right)), right] - expected).sum(axis=0)
            flat = (features * numpy.sqrt(chances)[:, :, None]).reshape(-1, width)
            bend += flat.T @ flat - expected.T @ expected
        step = numpy.linalg.solve(bend, slope)
        # A long step of Newton can overshoot; no weight moves by more than the data can tell.
        step *= min(1.0, 10.0 / max(float(numpy.linalg.norm(step)), 1e-12))
        weights -= step
        if float(numpy.abs(step).max()) < ENOUGH:
            break
    return weights


def chosen(features: Any, weights: Any) -> int:
    """The likeliest option, the first of equals."""
    return int(numpy.argmax(features @ weights))


def _chances(features: Any, weights: Any) -> Any:
    sums = features @ weights
    sums = numpy.exp(sums - sums.max(axis=1, keepdims=True))
    return sums / sums.sum(axis=1, keepdims=True)


def _same_size(asked: Sequence[Asked]) -> List[Tuple[Any, Any]]:
    """Questions with as many options as one another, as one array."""
    sizes = sorted({len(features) for features, _ in asked})
    groups = []
    for size in sizes:
        same = [one for one in asked if len(one[0]) == size]
        groups.append(
            (
                numpy.stack([features for features, _ in same]).astype(numpy.float64),
                numpy.array([right for _, right in same]),
            )
        )
    return groups
