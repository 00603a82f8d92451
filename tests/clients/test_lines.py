"""Bytes cut into lines."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.lines import LineSplitter, LineTooLong

LINES = st.lists(
    st.text(st.sampled_from("ab\r\u2028\u2029\x85\x0b\x0c\x1c\x1e€🚀"), max_size=8).map(
        lambda text: text.rstrip("\r")
    ),
    max_size=6,
)


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]), borders=st.lists(st.integers(0, 200)))
def test_lines_survive_any_border(lines: list[str], end: str, borders: list[int]) -> None:
    """Lines come out as they went in, wherever the bytes between them were cut."""
    data = "".join(line + end for line in lines).encode() + b"rest"
    places = [0, *sorted({border for border in borders if border < len(data)}), len(data)]
    splitter = LineSplitter()
    found = []
    for begin, after in pairwise(places):
        found += splitter.feed(data[begin:after])
    assert [line.decode() for line in found] == lines
    assert splitter.rest() == b"rest"


@pytest.mark.parametrize("size", [1, 10, 50, 1000])
def test_endless_line_is_refused(size: int) -> None:
    """A line over the limit is refused as soon as it is over, in pieces of any size."""
    splitter = LineSplitter(limit=100)
    for _ in range(100 // size):
        assert splitter.feed(b"x" * size) == []
    with pytest.raises(LineTooLong):
        splitter.feed(b"x" * size)


def test_many_lines_have_no_common_limit() -> None:
    """The limit is a line's, not that of all lines together."""
    splitter = LineSplitter(limit=10)
    assert len(splitter.feed(b"123456789\n" * 50)) == 50
