"""Regions that were changed move with the text around them."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.context.edits import MOST_LINES, MOST_REGIONS, Edits
from synconfroute.validators.line_text import TO_THE_END, Splice


def test_typing_in_one_place_is_one_region() -> None:
    """However many keys, and line breaks among them."""
    edits = Edits()
    for text in ("a\n", "ab\n", "abc\n"):
        edits.add("a", Splice(5, 6, text))
    edits.add("a", Splice(5, 6, "abc\n\n"))
    edits.add("a", Splice(6, 7, "d\n"))
    assert edits.of("a") == ((5, 6),)


def test_a_change_above_moves_a_region() -> None:
    """Lines put in, and lines taken out."""
    edits = Edits()
    edits.add("a", Splice(50, 51, "x\n"))
    edits.add("a", Splice(10, 11, "1\n2\n3\n"))
    assert edits.of("a") == ((10, 12), (52, 52))
    edits.add("a", Splice(20, 25, ""))
    assert edits.of("a") == ((20, 20), (10, 12), (47, 47))


def test_a_region_does_not_grow_without_end() -> None:
    """Who writes a long function leaves a new region every few lines."""
    edits = Edits()
    for line in range(100):
        edits.add("a", Splice(line, line, "x\n"))
    lengths = [last - first + 1 for first, last in edits.of("a")]
    assert max(lengths) <= MOST_LINES
    assert edits.of("a")[0][1] == 99


def test_the_newest_come_first_and_the_oldest_go() -> None:
    """In all documents together."""
    edits = Edits()
    for number in range(30):
        edits.add(f"{number % 2}", Splice(number * 20, number * 20 + 1, "x\n"))
    assert [first for first, _ in edits.of("1")][:2] == [580, 540]
    assert len(edits.of("0")) + len(edits.of("1")) == MOST_REGIONS


@pytest.mark.parametrize("splice", [Splice(0, TO_THE_END, "all\nnew\n")])
def test_a_new_text_has_no_regions(splice: Splice) -> None:
    """A client that sends whole texts does not say what changed."""
    edits = Edits()
    edits.add("a", Splice(3, 4, "x\n"))
    edits.add("a", splice)
    assert edits.of("a") == ()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 60))
@example(121377, 40)
def test_a_marked_line_stays_in_its_region(seed: int, changes: int) -> None:
    """Any edits elsewhere leave the region where its text is."""
    chance = random.Random(seed)
    lines = [f"{number}\n" for number in range(200)]
    edits = Edits()
    edits.add("a", Splice(100, 101, "mark\n"))
    lines[100] = "mark\n"
    for _ in range(changes):
        place = lines.index("mark\n")
        first = chance.choice([*range(max(0, place - 40)), *range(place + 40, len(lines))])
        stop = min(first + chance.randrange(3), place - 20 if first < place else len(lines))
        fresh = ["new\n"] * chance.randrange(3)
        edits.add("a", Splice(first, max(first, stop), "".join(fresh)))
        lines[first : max(first, stop)] = fresh
        found = edits.of("a")
        if len(found) == MOST_REGIONS:
            return  # from here on the mark's own region may be the oldest, and go
        assert any(first <= lines.index("mark\n") <= last for first, last in found)
