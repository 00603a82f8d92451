"""Is one session served as well as another?"""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.fleet.typist import Asked


@dataclass(frozen=True, slots=True)
class Fairness:
    """Over sessions.

    Attributes:
        shown: Jain's index of the texts shown to each: 1 where all were shown as many, 1/n where
            one was shown all.
        waits: Jain's index of the mean wait of each.
        least_shown: share of its requests that showed something, in the session with the least.
        shortest_ms: mean wait of the session that waited least.
        longest_ms: of the one that waited longest.
    """

    shown: float
    waits: float
    least_shown: float
    shortest_ms: float
    longest_ms: float


def fairness(asked: Sequence[Asked]) -> Fairness:
    """Of some requests, at least one."""
    sessions: defaultdict[int, list[Asked]] = defaultdict(list)
    for each in asked:
        sessions[each.mark.session].append(each)
    shown = [sum(each.text is not None for each in every) for every in sessions.values()]
    waits = [statistics.fmean(each.took for each in every) for every in sessions.values()]
    shares = [count / len(every) for count, every in zip(shown, sessions.values(), strict=True)]
    return Fairness(jain(shown), jain(waits), min(shares), min(waits) * 1000, max(waits) * 1000)


def jain(values: Sequence[float]) -> float:
    """Jain's index: the square of the sum over n times the sum of squares; 1 where all are 0."""
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0
