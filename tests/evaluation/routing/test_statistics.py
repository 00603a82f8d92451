"""How sure a figure is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.evaluation.routing.grid import Point, best, best_within
from synconfroute.evaluation.routing.statistics import bootstrapped, median_by_group, share


def test_tasks_of_one_function_are_one_thing() -> None:
    """With a single function there is nothing to draw: the interval is the figure itself."""
    assert median_by_group([1.0, 2.0, 9.0], ["f", "f", "f"]) == (2.0, 2.0)
    assert share([1, 0], ["f", "f"]).low == share([1, 0], ["f", "f"]).high == 0.5


def test_more_functions_make_surer() -> None:
    """The interval of many is within that of few."""
    few = bootstrapped(len, ["a", "b", "b", "b"], 200)
    assert few == (2.0, 6.0)
    wide = share([1, 0] * 5, [str(number) for number in range(10)])
    narrow = share([1, 0] * 50, [str(number) for number in range(100)])
    assert narrow.high - narrow.low < wide.high - wide.low


@settings(max_examples=20, deadline=None)  # each draws 2,000 times
@given(st.lists(st.tuples(st.floats(0, 100), st.sampled_from("abcde")), min_size=1, max_size=12))
def test_an_interval_is_within_what_was_measured(measured: list[tuple[float, str]]) -> None:
    """Whatever is drawn."""
    values = [value for value, _ in measured]
    low, high = median_by_group(values, [group for _, group in measured])
    assert min(values) <= low <= high <= max(values)


def test_a_difference_may_be_below_nothing() -> None:
    """Shares of +1, 0 and -1."""
    found = share([-1, 0, 0, -1], ["a", "b", "c", "d"])
    assert (found.value, found.percent[:6]) == (-0.5, "-50.0%")
    assert -1 <= found.low <= found.high <= 0


@pytest.mark.parametrize(
    ("most", "threshold"), [(1.0, 0.9), (0.6, 0.5), (0.5, 0.5), (0.3, 0.1), (0.0, 0.1)]
)
def test_the_best_threshold_within_a_bound(most: float, threshold: float) -> None:
    """Where none escalates so little, the lowest is the nearest."""
    grid = [Point(0.1, 0.6, 0.9), Point(0.5, 0.7, 0.5), Point(0.9, 0.8, 0.1)]
    assert best_within(grid, most).threshold == threshold
    assert best_within(grid, 1.0) == best(grid)
