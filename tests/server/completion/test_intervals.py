"""How sure counted shares are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.intervals import student, wilson


@pytest.mark.parametrize(
    ("part", "whole", "interval"),
    [
        (0, 10, (0.0, 0.2775)),
        (10, 10, (0.7225, 1.0)),
        (81, 263, (0.2553, 0.3662)),  # Newcombe 1998, table I, method 3
        (15, 148, (0.0624, 0.1605)),
        (0, 20, (0.0, 0.1611)),
        (1, 29, (0.0061, 0.1718)),
    ],
)
def test_published_intervals(part: int, whole: int, interval: tuple[float, float]) -> None:
    """Newcombe's examples of Wilson's interval without a correction for continuity."""
    assert wilson(part, whole) == pytest.approx(interval, abs=1e-4)


def test_of_nothing_there_is_no_interval() -> None:
    """Not from 0 to 1: nothing was counted."""
    assert wilson(0, 0) is None


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_an_interval_holds_its_share_and_shrinks(part: int, whole: int) -> None:
    """Whatever was counted; a hundred times as much is known more narrowly."""
    found, more = wilson(part, whole), wilson(part * 100, whole * 100)
    assert found is not None
    assert more is not None
    share = min(1.0, part / whole)
    assert 0 <= found[0] <= share + 5e-5
    assert share - 5e-5 <= found[1] <= 1
    assert more[1] - more[0] <= found[1] - found[0]


def test_a_share_of_five_percent_is_missed() -> None:
    """By simulation: 95 % intervals hold the true share in about that many of 2,000 draws."""
    chance = random.Random(11)
    held = 0
    for _ in range(2_000):
        drawn = sum(chance.random() < 0.3 for _ in range(40))
        interval = wilson(drawn, 40)
        assert interval is not None
        held += interval[0] <= 0.3 <= interval[1]
    assert 0.93 <= held / 2_000 <= 0.98


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(3, 3.182446), (5, 2.570582), (10, 2.228139), (60, 2.000298)]
)
def test_students_quantiles(degrees: float, quantile: float) -> None:
    """As in any table, within 0.2 %."""
    assert student(degrees) == pytest.approx(quantile, rel=2e-3)
