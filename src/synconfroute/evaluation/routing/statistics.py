"""How sure a share is, and whether two strategies differ."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 2000
_SEED = 42


@dataclass(frozen=True, slots=True)
class Share:
    """A share, or the difference of two, with its 95 % interval, whole functions drawn."""

    value: float
    low: float
    high: float

    @property
    def percent(self) -> str:
        """For people."""
        return f"{self.value:.1%} (95 % interval {self.low:.1%} to {self.high:.1%})"


def share(passed: Sequence[int], groups: Sequence[str]) -> Share:
    """The share of tasks that passed, of at least one, with its interval.

    Args:
        passed: whether each task passed; for a difference: by how much it differs.
        groups: the function of each.
    """
    return Share(sum(passed) / len(passed), *interval_by_group(passed, groups))


def interval_by_group(passed: Sequence[int], groups: Sequence[str]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a share, whole groups drawn: tasks of one are alike.

    Args:
        passed: whether each task passed.
        groups: the group of each.
    """
    import numpy as np

    tallies: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for right, group in zip(passed, groups, strict=True):
        tallies[group][0] += right
        tallies[group][1] += 1
    table = np.array(list(tallies.values()))
    sums = table[_drawn(len(table))].sum(axis=1)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return float(low), float(high)


def median_by_group(values: Sequence[float], groups: Sequence[str]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a median, whole groups drawn.

    Args:
        values: one a task, of at least one.
        groups: the group of each.
    """
    return bootstrapped(lambda places: median(values[place] for place in places), groups)


def bootstrapped(
    statistic: Callable[[Sequence[int]], float], groups: Sequence[str], resamples: int = RESAMPLES
) -> tuple[float, float]:
    """The 95 % bootstrap interval of whatever is found of tasks, whole groups drawn.

    Args:
        statistic: what is found of the tasks at these places; a place may come several times.
        groups: the group of each task, of at least one.
        resamples: how often to draw.
    """
    import numpy as np

    members: dict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        members[group].append(place)
    of_group = list(members.values())
    found = [
        statistic([place for index in drawn for place in of_group[index]])
        for drawn in _drawn(len(of_group), resamples)
    ]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def _drawn(groups: int, resamples: int = RESAMPLES) -> "np.ndarray":
    """Which groups each resample has; the same in each run."""
    import numpy as np

    return np.random.default_rng(_SEED).integers(groups, size=(resamples, groups))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> tuple[int, int, float]:
    """The exact test of McNemar (1947) on two strategies' answers to the same tasks.

    Returns:
        Tasks that only the first has right, that only the second has, and how likely a split at
        least so uneven is if neither is better.
    """
    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    count, fewer = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(count, index) for index in range(fewer + 1))
    return only_first, only_second, min(1.0, 2 * tail / 2**count)
