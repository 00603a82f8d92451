"""The threshold picked on few tasks and on many (paper, §4.4: "small calibration sets suffice")."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, stdev

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.folds import Split
from synconfroute.evaluation.routing.grid import best_within, points
from synconfroute.evaluation.routing.replay import replay
from synconfroute.evaluation.routing.strategy import Strategy

SIZES = (50, 100, 200, 400)
SEEDS = (42, 43, 44)
"""The paper has three and does not name them."""

USUAL = 200
"""The size that the others are compared with."""

CLAIMED_DIFFERENCE = 0.002
CLAIMED_DEVIATION = 0.004
"""The paper: pass@1 within 0.2 % of the usual size's, standard deviation below 0.4 %."""

_LEAST_TESTED = 50


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw of tasks to calibrate on.

    Attributes:
        seed: of the draw.
        threshold: the best of the grid on them.
        pass_at_1: of the routed rule on all other tasks.
        local_share: kept among these.
        behind: what the best threshold for these other tasks has more, with no more escalated
            than allowed, or than was.
    """

    seed: int
    threshold: float
    pass_at_1: float
    local_share: float
    behind: float


@dataclass(frozen=True, slots=True)
class Size:
    """One number of tasks to calibrate on.

    Attributes:
        calibrated: that number.
        tested: how many others there are.
        draws: one a seed.
        mean: of their pass@1.
        deviation: its standard deviation over the draws (n - 1).
    """

    calibrated: int
    tested: int
    draws: tuple[Drawn, ...]
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A rule calibrated on each number of tasks.

    Attributes:
        rule: its name.
        sizes: the smallest first.
        held: what the paper claims is so; None where the usual size is not among them.
    """

    rule: str
    sizes: tuple[Size, ...]
    held: bool | None


def possible_sizes(tasks: int) -> tuple[int, ...]:
    """The sizes that leave at least 50 tasks to test on."""
    return tuple(size for size in SIZES if tasks - size >= _LEAST_TESTED)


def calibrated(
    strategy: Strategy, examples: Sequence[Example], most_escalated: float = 1.0
) -> Calibrated:
    """Calibrate a rule on each size that is possible with each seed, and test it on the others.

    Tasks are drawn as in the paper, without regard to their functions.

    Args:
        strategy: the rule.
        examples: all tasks.
        most_escalated: the largest share that a threshold may escalate where it is picked.
    """
    sizes = tuple(
        _size(strategy, examples, size, most_escalated) for size in possible_sizes(len(examples))
    )
    return Calibrated(strategy.name, sizes, _held(sizes))


def _size(strategy: Strategy, examples: Sequence[Example], size: int, most: float) -> Size:
    draws = tuple(_drawn(strategy, examples, size, seed, most) for seed in SEEDS)
    found = [each.pass_at_1 for each in draws]
    return Size(size, len(examples) - size, draws, fmean(found), stdev(found))


def _drawn(
    strategy: Strategy, examples: Sequence[Example], size: int, seed: int, most: float
) -> Drawn:
    choose = partial(best_within, most_escalated=most)
    tested = replay(strategy, examples, [_split(len(examples), size, seed)], choose)
    pass_at_1 = fmean(task.right for task in tested)
    kept = fmean(task.kept for task in tested)
    possible = best_within(points([task.scored for task in tested]), max(most, 1 - kept))
    return Drawn(seed, tested[0].threshold, pass_at_1, kept, possible.pass_at_1 - pass_at_1)


def _split(tasks: int, size: int, seed: int) -> Split:
    drawn = sorted(random.Random(seed).sample(range(tasks), size))  # noqa: S311  no secret
    apart = set(drawn)
    return drawn, [index for index in range(tasks) if index not in apart]


def _held(sizes: Sequence[Size]) -> bool | None:
    usual = next((each.mean for each in sizes if each.calibrated == USUAL), None)
    if usual is None:
        return None
    return all(
        abs(each.mean - usual) <= CLAIMED_DIFFERENCE and each.deviation < CLAIMED_DEVIATION
        for each in sizes
    )
