"""Columns against a reference that encodes character by character."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.protocol.positions import Encoding, characters, columns, negotiate

LINE = st.text(alphabet="aé€😀\ud83d\ude00\u2028\x0c𝄞", max_size=30)


def width(character: str, encoding: Encoding) -> int:
    """Columns of one character."""
    if encoding is Encoding.UTF32:
        return 1
    if encoding is Encoding.UTF16:
        return len(character.encode("utf-16-le", "surrogatepass")) // 2
    return len(character.encode("utf-8", "surrogatepass"))


@given(LINE, st.integers(0, 140), st.sampled_from(Encoding))
def test_a_column_is_as_many_characters_as_fit_before_it(
    line: str, column: int, encoding: Encoding
) -> None:
    """As many whole characters as the columns hold, also inside a character and past the end."""
    count, used = 0, 0
    for character in line:
        used += width(character, encoding)
        if used > column:
            break
        count += 1
    assert characters(line, column, encoding) == count


@given(LINE, st.sampled_from(Encoding))
def test_the_columns_of_a_text_lead_back_to_its_end(line: str, encoding: Encoding) -> None:
    """Each prefix's columns are the sum over its characters, and mean that prefix."""
    for end in range(len(line) + 1):
        column = columns(line[:end], encoding)
        assert column == sum(width(character, encoding) for character in line[:end])
        assert characters(line, column, encoding) == end


@pytest.mark.parametrize(
    ("column", "expected"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (99, 4)]
)
def test_a_column_inside_a_surrogate_pair_means_the_character(column: int, expected: int) -> None:
    """In UTF-16 an emoji is two columns wide; between them is before it."""
    assert characters("a😀b😀", column, Encoding.UTF16) == expected


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-8", "utf-16"], "utf-32"),
        (["utf-7", "utf-16", "utf-8"], "utf-16"),
        (["utf-7"], "utf-16"),
        ([3, None, "utf-32"], "utf-32"),
        ([], "utf-16"),
        (None, "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_the_clients_first_known_preference_wins(offered: Any, chosen: str) -> None:
    """What is unknown is passed over; UTF-16 is what a client always understands."""
    assert negotiate(offered) == chosen
