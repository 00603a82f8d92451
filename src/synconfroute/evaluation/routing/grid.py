"""The threshold: a grid over pass@1 of the whole routed rule (paper, Algorithm 1)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

THRESHOLDS = tuple(index / 100 for index in range(101))
"""0.00 to 1.00 by 0.01."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A task with the score that a rule gives its local answer.

    Attributes:
        score: the local answer is kept where this reaches the threshold.
        local_right: the local answer passed.
        larger_right: the larger model's answer passed.
    """

    score: float
    local_right: bool
    larger_right: bool


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold gives.

    Attributes:
        threshold: an answer that scores less is escalated.
        pass_at_1: share of tasks whose answer, local or larger, passed.
        local_share: share of tasks whose local answer is kept.
    """

    threshold: float
    pass_at_1: float
    local_share: float


def points(tasks: Sequence[Scored]) -> list[Point]:
    """What each threshold of the grid gives on these tasks; [] without any."""
    if not tasks:
        return []
    kept = [0] * (len(THRESHOLDS) + 1)
    gained = [0] * (len(THRESHOLDS) + 1)
    for task in tasks:
        reached = bisect_right(THRESHOLDS, task.score)  # kept at so many of the thresholds
        kept[reached] += 1
        gained[reached] += task.local_right - task.larger_right
    found, larger = [], sum(task.larger_right for task in tasks)
    keeping = gaining = 0
    for index in reversed(range(len(THRESHOLDS))):
        keeping += kept[index + 1]
        gaining += gained[index + 1]
        found.append(
            Point(THRESHOLDS[index], (larger + gaining) / len(tasks), keeping / len(tasks))
        )
    return found[::-1]


def best(candidates: Sequence[Point]) -> Point:
    """The point of the best pass@1; of equals the one of the lowest threshold.

    Raises:
        ValueError: there is none.
    """
    return max(candidates, key=lambda point: (point.pass_at_1, -point.threshold))


def best_within(candidates: Sequence[Point], most_escalated: float) -> Point:
    """The same, with at most this share escalated; where none has so few, the lowest threshold.

    Raises:
        ValueError: there is none.
    """
    # Shares are sums of floats.
    within = [each for each in candidates if 1 - each.local_share <= most_escalated + 1e-9]
    return best(within or candidates[:1])
