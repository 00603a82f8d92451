"""How sure a share is, and whether two strategies differ."""

from collections import defaultdict
from collections.abc import Sequence
from math import comb

RESAMPLES = 2000
_SEED = 42


def interval_by_group(passed: Sequence[bool], groups: Sequence[str]) -> tuple[float, float]:
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
    drawn = np.random.default_rng(_SEED).integers(len(table), size=(RESAMPLES, len(table)))
    sums = table[drawn].sum(axis=1)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return float(low), float(high)


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
