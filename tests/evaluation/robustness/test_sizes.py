"""A threshold picked on few tasks and on many."""

from collections.abc import Sequence

import pytest

from synconfroute.evaluation.robustness.sizes import SEEDS, calibrated, possible_sizes
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.strategies.confidence import confidence
from synconfroute.evaluation.routing.strategy import Strategy
from tests.evaluation.routing.made import example

RULE = Strategy("confidence", confidence)


def separable(count: int) -> list[Example]:
    """The local model is right where it is sure, the larger one where it is not."""
    return [
        example(number, local=sure, larger=not sure, sure=0.9 if sure else 0.2)
        for number in range(count)
        for sure in [number % 3 == 0]
    ]


@pytest.mark.parametrize(
    ("tasks", "sizes"),
    [(99, ()), (100, (50,)), (300, (50, 100, 200)), (450, (50, 100, 200, 400))],
)
def test_sizes_leave_tasks_to_test_on(tasks: int, sizes: Sequence[int]) -> None:
    """At least 50."""
    assert possible_sizes(tasks) == sizes


def test_where_the_scores_say_all_every_size_finds_the_threshold() -> None:
    """The paper's claim holds, and nothing is lost against the best threshold."""
    found = calibrated(RULE, separable(300))
    assert [size.calibrated for size in found.sizes] == [50, 100, 200]
    assert found.held is True
    for size in found.sizes:
        assert (size.mean, size.deviation) == (1.0, 0.0)
        assert size.tested == 300 - size.calibrated
        assert [draw.seed for draw in size.draws] == list(SEEDS)
        assert all(draw.threshold == 0.21 and draw.behind == 0.0 for draw in size.draws)
        assert all(0.2 < draw.local_share < 0.5 for draw in size.draws)


def test_where_luck_decides_the_claim_does_not_hold() -> None:
    """Each draw finds another threshold, and loses by it."""
    tasks = [
        example(
            number,
            local=number * 7919 % 13 < 6,
            larger=number * 104729 % 11 < 5,
            sure=(number * 31 % 97 + 1) / 99,
        )
        for number in range(300)
    ]
    found = calibrated(RULE, tasks)
    assert found.held is False
    assert all(draw.behind >= 0 for size in found.sizes for draw in size.draws)
    assert any(draw.behind > 0 for size in found.sizes for draw in size.draws)


def test_without_the_usual_size_nothing_is_claimed() -> None:
    """There is nothing to compare with."""
    assert calibrated(RULE, separable(150)).held is None


def test_a_bound_on_escalation_holds_where_the_threshold_is_picked() -> None:
    """Where the larger model is always right, all would be escalated without it."""
    tasks = [
        example(number, local=False, sure=(number * 31 % 97 + 1) / 99) for number in range(300)
    ]
    free, bound = calibrated(RULE, tasks), calibrated(RULE, tasks, 0.4)
    assert all(draw.local_share < 0.2 for size in free.sizes for draw in size.draws)
    assert all(draw.local_share > 0.4 for size in bound.sizes for draw in size.draws)
    assert all(draw.behind >= 0 for size in bound.sizes for draw in size.draws)
