"""Profiles: what is read back, what is refused, and what lies between measured numbers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.capacity.profile import (
    ASSUMED,
    Profile,
    read_profile,
    write_profile,
)

PROFILE = Profile(
    "measured",
    True,
    16,
    ((1, 10.0), (4, 16.0), (16, 28.0)),
    0.05,
    2.0,
    prompt_tokens=(60, 1_500),
    spread=0.04,
)


@pytest.mark.parametrize("profile", [PROFILE, ASSUMED, replace(PROFILE, kv_tokens=9_000)])
def test_a_profile_is_read_as_it_was_written(profile: Profile, tmp_path: Path) -> None:
    """All of it."""
    write_profile(tmp_path / "p.json", profile)
    assert read_profile(tmp_path / "p.json") == profile


@pytest.mark.parametrize(
    "broken",
    [
        {"format": 2},
        {"step_ms": []},
        {"step_ms": [[4, 1.0], [1, 2.0]]},
        {"step_ms": [[1, 0.0]]},
        {"step_ms": "fast"},
        {"at_once": 0},
        {"prefill_ms_per_token": -1},
        {"overhead_ms": 1e9},
        {"kv_tokens": -5},
        {"more": 1},
    ],
)
def test_what_no_server_can_be_is_refused(broken: dict[str, object], tmp_path: Path) -> None:
    """In one sentence that names the file."""
    file = tmp_path / "p.json"
    write_profile(file, PROFILE)
    file.write_text(json.dumps(json.loads(file.read_text()) | broken))
    with pytest.raises(EvaluationError, match=r"p\.json is no profile"):
        read_profile(file)


@pytest.mark.parametrize("text", ["", "[]", "7", '{"format": 1}', "\x00"])
def test_any_other_file_is_refused(text: str, tmp_path: Path) -> None:
    """It may be anybody's."""
    file = tmp_path / "p.json"
    file.write_text(text)
    with pytest.raises(EvaluationError):
        read_profile(file)
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_profile(tmp_path / "none.json")
    with pytest.raises(EvaluationError, match="cannot be written"):
        write_profile(tmp_path / "no" / "folder.json", PROFILE)


def test_a_step_between_two_numbers_lies_on_the_line_between_them() -> None:
    """At a number it is that; beyond the last the line goes on."""
    assert [round(PROFILE.step(running) * 1000, 6) for running in (1, 2, 4, 10, 16, 28)] == [
        10.0, 12.0, 16.0, 22.0, 28.0, 40.0,
    ]  # fmt: skip


@given(
    steps=st.lists(st.floats(0.1, 500), min_size=1, max_size=6),
    running=st.integers(1, 5_000),
)
def test_no_step_beyond_what_was_measured_is_shorter_than_the_last(
    steps: list[float], running: int
) -> None:
    """A measurement that scatters never makes a fuller server faster without end."""
    pairs = tuple((2**power, ms) for power, ms in enumerate(steps))
    profile = replace(PROFILE, step_ms=pairs)
    assert profile.step(running) * 1000 >= min(steps) - 1e-9
    last = profile.most_measured
    assert profile.step(last + running) >= profile.step(last) - 1e-12
