"""Where the cursor is in a task."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.evaluation.datasets.task import Answers
from synconfroute.evaluation.execution.program import program_of
from synconfroute.evaluation.generation.opening import hole_of, indented, with_cursor, within_word
from tests.evaluation.generation.functions import task


def test_the_open_buffer_has_the_line_break_of_the_hole() -> None:
    """A hole of whole lines has a line break between cursor and suffix."""
    hole = hole_of(task(0))
    assert (hole.left, hole.right) == ("", "")
    assert hole.suffix == "\n" + task(0).suffix


def test_an_editor_leaves_the_indentation() -> None:
    """The truth's own white space stands before the cursor, and is no longer part of the truth."""
    moved = indented(task(0))
    assert hole_of(moved).left == "    "
    assert moved.truth == "return a + b"


@given(space=st.text(" \t", max_size=9), rest=st.sampled_from(["x", "if a:\n        b", ""]))
def test_the_program_of_the_truth_stays_the_same(space: str, rest: str) -> None:
    """Wherever the cursor is, the truth in the hole makes the same program."""
    plain = dataclasses.replace(task(0), truth=space + rest)
    moved = indented(plain)
    assert program_of(moved, moved.truth) == program_of(plain, plain.truth)


def test_a_program_with_a_mark_gets_the_indentation_too() -> None:
    """Where the benchmark gives the whole program, the mark in it moves behind the white space."""
    check = Answers((("1", ("1",)),), "def f():\n{{completion}}\n")
    plain = dataclasses.replace(task(0), prefix="def f():\n", check=check)
    moved = indented(plain)
    assert program_of(moved, moved.truth) == program_of(plain, plain.truth)


def test_a_hole_within_a_line_stays() -> None:
    """White space behind code is no indentation."""
    within = dataclasses.replace(task(0), prefix="x =", truth=" 1")
    assert indented(within) == within


@pytest.mark.parametrize(
    ("truth", "typed"),
    [
        ("    return value", "    ret"),
        ("    x = numbers[0]", "    x = num"),
        ("    if a:\n        return", ""),
        ("    x += 1", ""),
    ],
)
def test_a_cursor_within_a_word(truth: str, typed: str) -> None:
    """Half of the first line's longest word is typed; the truth in the hole makes the program."""
    plain = dataclasses.replace(task(0), truth=truth)
    moved = within_word(plain)
    shown = moved.prefix.removeprefix(plain.prefix)
    assert shown == typed
    assert program_of(moved, moved.truth) == program_of(plain, plain.truth)


def test_the_cursor_is_where_conditions_want_it() -> None:
    """At a line's start nothing moves."""
    assert with_cursor(task(0), "line-start") == task(0)
    assert with_cursor(task(0), "indented") == indented(task(0))
    assert with_cursor(task(0), "in-word") == within_word(task(0))
