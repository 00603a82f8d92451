"""The line store against a reference that works on the text as one string."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.protocol.lines import (
    Lines,
    Place,
    split_lines,
    unix_line_ends,
    whole_characters,
)

TEXT = st.text(alphabet="ab \t\n\r\x0b\x0c\x1c\x85\u2028\u2029é😀\ud83d", max_size=40)
PLACE = st.tuples(st.integers(0, 12), st.integers(0, 12))


def line_starts(text: str) -> list[int]:
    r"""Offsets at which lines begin: 0, and behind each "\r\n", "\n" and "\r"."""
    return [0] + [match.end() for match in re.finditer(r"\r\n|\n|\r", text)]


def offset(text: str, place: Place) -> int:
    """The offset of a place; beyond a line's or the text's end, that end."""
    line, column = place
    starts = line_starts(text)
    if line >= len(starts):
        return len(text)
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    return min(starts[line] + column, starts[line] + len(text[starts[line] : end].rstrip("\r\n")))


def edited(text: str, start: Place, end: Place, new: str) -> str:
    """The text after one edit."""
    first = offset(text, start)
    return text[:first] + new + text[max(first, offset(text, end)) :]


@given(TEXT, st.lists(st.tuples(PLACE, PLACE, TEXT), max_size=8))
def test_edits_give_what_a_single_string_gives(
    text: str, edits: list[tuple[Place, Place, str]]
) -> None:
    """Any edits, with any line ends, leave exactly the text that editing one string leaves."""
    lines = Lines(text)
    for start, end, new in edits:
        lines.replace(start, end, new)
        text = edited(text, start, end, new)
        assert lines.text == text
        assert lines.size == len(text)
        assert len(lines) == len(line_starts(text))


@given(TEXT, PLACE)
def test_around_cuts_the_text_at_the_place(text: str, place: Place) -> None:
    """What stands before and after a place is the text, cut there."""
    cut = offset(text, place)
    assert Lines(text).around(place) == (text[:cut], text[cut:])


@given(TEXT, PLACE, st.integers(1, 30), st.integers(1, 6))
def test_a_window_ends_and_begins_at_the_place(
    text: str, place: Place, characters: int, lines: int
) -> None:
    """A window is text right before and after the place, within both limits."""
    cut = offset(text, place)
    store = Lines(text)
    before, after = store.before(place, characters, lines), store.after(place, characters, lines)
    assert text[:cut].endswith(before)
    assert text[cut:].startswith(after)
    assert len(before) <= characters
    assert len(after) <= characters
    assert len(split_lines(before)) <= lines
    assert len(split_lines(after)) <= lines + 1


def test_a_window_keeps_whole_lines() -> None:
    """A window begins at a line's start and ends at a line's end, where the lines fit."""
    store = Lines("one\ntwo\nthree\nfour\n")
    assert store.before((2, 2), 7, 9) == "two\nth"
    assert store.after((1, 1), 10, 9) == "wo\nthree\n"


def test_a_window_in_a_long_line_is_the_text_next_to_the_place() -> None:
    """Where one line exceeds the window, its characters next to the place are kept."""
    store = Lines("x" * 50 + "AB" + "y" * 50)
    assert store.before((0, 51), 3, 9) == "xxA"
    assert store.after((0, 51), 3, 9) == "Byy"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n", ""]),
        ("a\r\nb\rc\nd", ["a\r\n", "b\r", "c\n", "d"]),
        ("\r\r\n\n", ["\r", "\r\n", "\n", ""]),
        ("a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g\n", ["a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g\n", ""]),
    ],
)
def test_only_the_three_line_ends_of_the_protocol_end_a_line(text: str, lines: list[str]) -> None:
    """Form feeds, U+2028 and the like are characters of a line, unlike in str.splitlines."""
    assert split_lines(text) == lines


def test_deleting_between_cr_and_lf_joins_them() -> None:
    r"""A "\r" and a "\n" that come to stand side by side are one line end."""
    lines = Lines("a\rx\nb")
    lines.replace((1, 0), (1, 1), "")
    assert lines.text == "a\r\nb"
    assert len(lines) == 2


@given(TEXT)
def test_unix_line_ends_change_nothing_else(text: str) -> None:
    """The text is the same, line by line, with line ends of one kind."""
    plain = unix_line_ends(text)
    assert "\r" not in plain
    contents = [line.rstrip("\r\n") for line in split_lines(text)]
    assert plain.split("\n") == contents


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a\ud83e\udd93b", "a🦓b"),
        ("\ud83e", "\ud83e"),
        ("\udd93\ud83e", "\udd93\ud83e"),
        ("é", "é"),
    ],
)
def test_halves_side_by_side_are_one_character(text: str, whole: str) -> None:
    """An editor that sent them in two edits shows one; a half alone stays what it is."""
    assert whole_characters(text) == whole
