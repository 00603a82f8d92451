"""The one repair of the paper's profile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.evaluation.generation.indentation import repaired
from synconfroute.server.completion.hole import Hole

TOP = "def f(a):\n    if a:\n        a += 1\n"


@pytest.mark.parametrize(
    ("prefix", "suffix", "text", "becomes"),
    [
        ("def f(a):\n", "\n", "return a", "    return a"),
        ("def f(a):\n", "\n", "        return a", "    return a"),
        ("def f(a):\n    ", "\n", "return a", "return a"),
        ("def f(a):\n  b = 1\n  if a:\n", "\n", "return a", "    return a"),
        (TOP, "\n    return a\n", "a += 2", "        a += 2"),
        (TOP, "\n    return a\n", "    a += 2", "    a += 2"),
        (TOP, "\n        return a\n", "else:", "    else:"),
        (TOP, "\n    return a\n", "    if b:", "    if b:"),
        (TOP, "", "return a", "        return a"),
        ("x = 1\n", "\ny = 2\n", "  z = 3", "z = 3"),
        ("def f(a):\n", "\n", "if a:\n    return 1", "    if a:\n        return 1"),
        ("def f(a):\n\tb = 1\n", "\n", "return b", "    return b"),
        ("int f(int a) {\n", "\n}\n", "return a;", "    return a;"),
        ("x = f(", ")\n", "  a", "  a"),
    ],
)
def test_an_answer_is_moved_to_where_it_belongs(
    prefix: str, suffix: str, text: str, becomes: str
) -> None:
    """A level that the place allows stays; any other becomes the likeliest."""
    assert repaired(Hole("python", prefix, suffix), text) == becomes


@given(
    prefix=st.sampled_from([TOP, "def f(a):\n", "", "x = 1\n", "x = f(", "if x:\n\n    "]),
    suffix=st.sampled_from(["", "\n", "\n    return a\n", "\n)\n"]),
    text=st.text("ab:{}#\n\t ", max_size=12),
)
def test_nothing_but_white_space_changes(prefix: str, suffix: str, text: str) -> None:
    """The repair moves lines; it never changes what is on them, and once is enough."""
    hole = Hole("python", prefix, suffix)
    once = repaired(hole, text)
    assert [line.split() for line in once.split("\n")] == [
        line.split() for line in text.split("\n")
    ]
    assert repaired(hole, once) == once
