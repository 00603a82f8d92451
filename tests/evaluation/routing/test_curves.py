"""Thresholds, curves, intervals and tests, against their definitions."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.evaluation.routing.curve import SHARES, area, curve
from synconfroute.evaluation.routing.grid import THRESHOLDS, Scored, best, points
from synconfroute.evaluation.routing.metrics import METRICS
from synconfroute.evaluation.routing.statistics import interval_by_group, mcnemar

SCORES = st.one_of(st.floats(-2.0, 1.0), st.sampled_from(THRESHOLDS))
TASKS = st.lists(st.builds(Scored, SCORES, st.booleans(), st.booleans()), min_size=1, max_size=40)


@settings(max_examples=50, deadline=None)
@given(tasks=TASKS)
def test_each_threshold_gives_what_routing_by_it_gives(tasks: list[Scored]) -> None:
    """The grid is the rule `keep what reaches the threshold`, task by task."""
    found = points(tasks)
    assert [point.threshold for point in found] == list(THRESHOLDS)
    for point in found:
        kept = [task.score >= point.threshold for task in tasks]
        right = [
            task.local_right if keep else task.larger_right
            for task, keep in zip(tasks, kept, strict=True)
        ]
        assert point.local_share == sum(kept) / len(tasks)
        assert point.pass_at_1 == sum(right) / len(tasks)


@settings(max_examples=50, deadline=None)
@given(tasks=TASKS)
def test_of_equally_good_thresholds_the_lowest_is_picked(tasks: list[Scored]) -> None:
    """Ties go to the lower threshold: more stays local."""
    found = points(tasks)
    picked = best(found)
    assert picked.pass_at_1 == max(point.pass_at_1 for point in found)
    assert all(
        point.pass_at_1 < picked.pass_at_1 for point in found if point.threshold < picked.threshold
    )


def test_there_is_no_best_of_nothing() -> None:
    """Without tasks there are no points."""
    assert points([]) == []
    assert list(curve([])) == []


@settings(max_examples=50, deadline=None)
@given(tasks=TASKS)
def test_a_curve_keeps_the_best_share(tasks: list[Scored]) -> None:
    """From always-larger to always-local; where no scores are equal, the top tasks are kept."""
    found = curve(tasks)
    assert [share for share, _ in found] == list(SHARES)
    assert found[0][1] == pytest.approx(sum(task.larger_right for task in tasks) / len(tasks))
    assert found[-1][1] == pytest.approx(sum(task.local_right for task in tasks) / len(tasks))
    if len({task.score for task in tasks}) == len(tasks):
        ranked = sorted(tasks, key=lambda task: -task.score)
        for share, quality in found:
            count = int(share * len(tasks) + 0.5)
            right = sum(task.local_right for task in ranked[:count])
            right += sum(task.larger_right for task in ranked[count:])
            assert quality == pytest.approx(right / len(tasks))


def test_equal_scores_are_kept_in_no_order() -> None:
    """A rule that tells nothing has a straight line, whatever the order of the tasks."""
    tasks = [Scored(0.5, index < 50, index >= 50) for index in range(100)]
    assert [quality for _, quality in curve(tasks)] == pytest.approx([0.5] * 101)
    assert area(curve(tasks)) == pytest.approx(0.5)


def test_an_interval_is_wider_where_whole_groups_agree() -> None:
    """Ten tasks of one function are no ten observations."""
    passed = [index % 20 < 10 for index in range(200)]
    alone = interval_by_group(passed, [str(index) for index in range(200)])
    together = interval_by_group(passed, [str(index // 10) for index in range(200)])
    assert alone[0] < 0.5 < alone[1]
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])
    assert interval_by_group(passed, [str(index) for index in range(200)]) == alone


def test_mcnemar_counts_only_where_two_differ() -> None:
    """Known values of the exact test: 10 against 2, and no difference at all."""
    first = [True] * 10 + [False] * 2 + [True] * 50
    second = [False] * 10 + [True] * 2 + [True] * 50
    only_first, only_second, p = mcnemar(first, second)
    assert (only_first, only_second) == (10, 2)
    assert p == pytest.approx(158 / 4096)
    assert mcnemar(first, first) == (0, 0, 1.0)


def test_the_metrics_are_what_their_names_say() -> None:
    """Worked by hand on four tokens, one of them white space."""
    probabilities = (0.5, 0.8, 1.0, 0.25)
    texts = ("  ", "a", "b", "c")
    tokens = [Token(text, math.log(p)) for text, p in zip(texts, probabilities, strict=True)]
    found = {name: metric(tokens) for name, metric in METRICS.items()}
    assert found == pytest.approx(
        {
            "first-three": 0.4 ** (1 / 3),
            "first-three-visible": 0.2 ** (1 / 3),
            "mean": 0.1**0.25,
            "minimum": 0.25,
            "sum": 0.1,
            "mean-probability": 2.55 / 4,
        }
    )


def test_without_log_probs_nothing_is_unsure() -> None:
    """The verdict alone decides then."""
    assert {metric([Token("x")]) for metric in METRICS.values()} == {1.0}
