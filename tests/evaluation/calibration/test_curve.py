"""The grid, the point that is chosen on it, and how it is drawn."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.curve import Point, Trial, curve
from synconfroute.evaluation.calibration.picture import save_picture
from synconfroute.evaluation.calibration.plot import plot
from synconfroute.evaluation.calibration.target import Precision, Quality, require_enough
from synconfroute.evaluation.routing.grid import THRESHOLDS
from synconfroute.server.completion import Candidate
from synconfroute.server.settings.tree import Router, Settings
from synconfroute.validators.verdict import Evidence, Outcome, Verdict


def trial(
    confidence: float,
    local: bool,
    larger: bool | None = None,
    outcome: Outcome = Outcome.VALID,
    evidence: tuple[Evidence, ...] = (),
) -> Trial:
    """A trial whose three tokens have this confidence."""
    tokens = tuple(Token("x", math.log(confidence)) for _ in range(3))
    verdict = Verdict(outcome, "", evidence)
    candidate = Candidate(tokens, 0, finished=True, text="xxx", verdict=verdict)
    return Trial(candidate, "group", local, larger)


SOME = [
    trial(0.905, True, True),
    trial(0.805, True, False),
    trial(0.705, False, True, Outcome.INVALID),
    trial(0.605, False, True),
    trial(0.505, False, False),
]


def test_the_whole_routed_rule_is_counted() -> None:
    """Verdict included: at 0 the invalid answer is escalated, all others are kept."""
    points = curve(SOME, Settings())
    assert [point.threshold for point in points] == list(THRESHOLDS)
    first, last = points[0], points[-1]
    assert (first.kept, first.kept_right, first.escalated_right) == (4, 2, 1)
    assert (last.kept, last.kept_right, last.escalated_right) == (0, 0, 3)
    assert first.pass_at_1 == last.pass_at_1 == 0.6
    assert last.precision is None


def test_the_best_is_chosen_and_of_equals_the_lowest() -> None:
    """Above 0.605 and up to 0.805 four of five are right; 0.61 is the first of the grid."""
    points = curve(SOME, Settings())
    chosen = Quality().choose(points)
    assert (chosen.threshold, chosen.pass_at_1) == (0.61, 0.8)


def test_at_most_bounds_what_is_escalated() -> None:
    """One of five is always escalated: with at most two the middle one may go, with less none."""
    points = curve(SOME, Settings())
    assert Quality(0.4).choose(points).threshold == 0.0
    assert Quality(0.6).choose(points).threshold == 0.61
    with pytest.raises(EvaluationError, match=r"20\.0%"):
        Quality(0.1).choose(points)


def test_precision_takes_the_lowest_threshold_that_reaches_it() -> None:
    """Of the kept, two of four are right at first, two of three from 0.51, both from 0.61."""
    points = curve([replace(each, larger_right=None) for each in SOME], Settings())
    assert Precision(0.5).choose(points).threshold == 0.0
    assert Precision(0.6).choose(points).threshold == 0.51
    assert Precision(1.0).choose(points).threshold == 0.61
    wrong = curve([trial(0.9, False), trial(0.8, False)], Settings())
    with pytest.raises(EvaluationError, match=r"the best reaches 0\.0%"):
        Precision(0.5).choose(wrong)


def test_the_rule_of_the_settings_is_replayed() -> None:
    """Evidence halves confidence under `evidence` only; their own threshold is no matter."""
    suspicious = [trial(0.9, False, True, evidence=(Evidence("name", "", 1),)), *SOME]
    papers = curve(suspicious, Settings(router=Router(rule="paper", threshold=1.0)))
    ours = curve(suspicious, Settings(router=Router(rule="evidence")))
    assert papers[50].kept == 5
    assert ours[50].kept == 4


@given(
    st.lists(
        st.builds(
            trial,
            st.floats(0.01, 1.0),
            st.booleans(),
            st.booleans(),
            st.sampled_from(Outcome),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_what_holds_on_any_curve(trials: list[Trial]) -> None:
    """The local share falls, nothing beats the oracle, and the best is the best of all."""
    points = curve(trials, Settings())
    shares = [point.local_share for point in points]
    assert shares == sorted(shares, reverse=True)
    oracle = sum(each.local_right or bool(each.larger_right) for each in trials) / len(trials)
    assert all(point.pass_at_1 <= oracle + 1e-9 for point in points)
    best = Quality().choose(points)
    assert best.pass_at_1 == max(point.pass_at_1 for point in points)


def test_fewer_than_fifty_are_refused() -> None:
    """With the number, the reason and what to do."""
    require_enough(50, "python", "")
    with pytest.raises(EvaluationError, match=r"49 tasks of python.*needs 50.*take more"):
        require_enough(49, "python", "take more")


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 40)), min_size=101, max_size=101))
def test_the_plot_fits_a_terminal(numbers: list[tuple[int, int]]) -> None:
    """80 columns of printable ASCII, with the chosen point on its column."""
    points = [
        Point(threshold, 100, kept, min(kept, right), right)
        for threshold, (kept, right) in zip(THRESHOLDS, numbers, strict=True)
    ]
    chosen = Quality().choose(points)
    drawn = plot(points, chosen)
    assert max(map(len, drawn.splitlines())) <= 80
    assert drawn.isascii()
    rows = drawn.splitlines()[1:13]
    assert len({row.index("O") for row in rows if "O" in row}) == 1


def test_the_plot_says_what_is_on_its_axes() -> None:
    """Figures of the ends on the left, thresholds and local shares below."""
    points = curve(SOME, Settings())
    drawn = plot(points, Quality().choose(points))
    assert drawn.startswith("pass@1, %")
    assert re.search(r"^ +80\.0 \|", drawn, re.MULTILINE)
    *_, thresholds, shares = drawn.splitlines()
    assert thresholds.split() == ["t", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert shares.split() == ["local", "%", "80", "80", "80", "60", "40", "0"]
    alone = curve([replace(each, larger_right=None) for each in SOME], Settings())
    assert plot(alone, Precision(0.5).choose(alone)).startswith("precision, %")


def test_a_picture_is_a_png(tmp_path: Path) -> None:
    """With and without a larger model, and also where nothing is kept at the end."""
    for trials in (SOME, [replace(each, larger_right=None) for each in SOME]):
        points = curve(trials, Settings())
        save_picture(tmp_path / "c.png", points, points[61], "a title")
        assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(EvaluationError, match="cannot be written"):
        save_picture(tmp_path / "no" / "c.png", points, points[61], "a title")
