"""Quality over local share: what a rule gives when it keeps its best-scored answers."""

from collections.abc import Sequence
from itertools import pairwise

from synconfroute.evaluation.routing.grid import Scored

SHARES = tuple(index / 100 for index in range(101))
"""The local shares that a curve has a point at."""


Curve = Sequence[tuple[float, float]]
"""Pairs of local share and pass@1."""


def curve(tasks: Sequence[Scored]) -> Curve:
    """Local share and pass@1 at each of `SHARES`; [] without tasks.

    The tasks are ranked by their score, and the top share is kept, to the nearest whole task.
    Tasks of one score are kept in no order: the point is what a random one gives on average.
    """
    if not tasks:
        return []
    gains = _gains(tasks)
    larger = sum(task.larger_right for task in tasks)
    total = len(tasks)
    return [(share, (larger + gains[int(share * total + 0.5)]) / total) for share in SHARES]


def area(points: Curve) -> float:
    """The area under a curve: its mean pass@1 over all local shares."""
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points))


def _gains(tasks: Sequence[Scored]) -> list[float]:
    """What keeping the best 0, 1, … tasks gains against sending all."""
    ranked = sorted(tasks, key=lambda task: -task.score)
    gains = [0.0]
    begin = 0
    while begin < len(ranked):
        end = begin + 1
        while end < len(ranked) and ranked[end].score == ranked[begin].score:
            end += 1
        block = ranked[begin:end]
        gain = sum(task.local_right - task.larger_right for task in block) / len(block)
        start = gains[-1]
        gains += [start + gain * (count + 1) for count in range(len(block))]
        begin = end
    return gains
