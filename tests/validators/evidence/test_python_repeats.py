"""Code that repeats what stands beside it, in other words than a repeated line."""

import pytest

from tests.validators.evidence.marked import found

TOLD = {
    "asked before": (
        "def f(a):\n    if a > 1:\n        return 1\n«    elif a > 1:\n»        return 2\n",
        ("unreachable", 4),
    ),
    "the branch below asks the same": (
        "def f(a, b):\n«    if a > b:\n»        b += 1\n"
        "    elif a > b:\n        a += 1\n    return a\n",
        ("unreachable", 4),
    ),
    "waited for the same": (
        "def f(a):\n«    while a > 1:\n»        a -= 1\n"
        "    while a > 1:\n        a -= 2\n    return a\n",
        ("unreachable", 4),
    ),
    "the same loop again": (
        "def f(a):\n«    for x in a:\n»        print(x)\n    for x in a:\n        yield x\n",
        ("duplicate", 2),
    ),
    "returned anyway": (
        "def f(a):\n    if a > 1:\n«        return 0\n»    return 0\n",
        ("duplicate", 2),
    ),
    "a condition that changes nothing": (
        "def f(a):\n«    if a > 1:\n»        return 0\n    return 0\n",
        ("duplicate", 2),
    ),
    "two branches alike": (
        "def f(a):\n    if a > 2:\n«        a += 1\n»    elif a > 1:\n"
        "        a += 1\n    return a\n",
        ("duplicate", 3),
    ),
    "else as well": (
        "def f(a):\n    if a > 2:\n        return 1\n    else:\n«        return 1\n»",
        ("duplicate", 3),
    ),
    "overwritten": (
        "def f(a):\n«    b = 0\n»    b = a\n    return b\n",
        ("duplicate", 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("buffer", "expected"), TOLD.values(), ids=TOLD.keys())
def test_code_that_repeats_its_neighbour_is_found(buffer: str, expected: tuple[str, int]) -> None:
    """It is told with the line that is in vain."""
    assert expected in found(buffer)


SILENT = {
    "asked anew": "def f(a):\n    if a():\n        return 1\n«    elif a():\n»        return 2\n",
    "a loop that may be left": "def f(a):\n«    while a > 1:\n»        if a == 7:\n"
    "            break\n        a -= 1\n    while a > 1:\n        a -= 2\n    return a\n",
    "two reasons to return": "def f(a):\n    if a > 2:\n«        return 1\n»    elif a < 1:\n"
    "        return 1\n    return 2\n",
    "a condition that does something": "def f(a):\n    if a.pop():\n«        return 0\n»"
    "    return 0\n",
    "read before it is overwritten": "def f(a):\n«    b = 0\n»    b = b + a\n    return b\n",
    "a value that does something": "def f(a):\n«    b = a()\n»    b = 1\n    return b\n",
    "repeated by the user": "def f(a):\n    if a > 1:\n        return 1\n    elif a > 1:\n"
    "        return 2\n«    a += 1\n»    return a\n",
}


@pytest.mark.parametrize("buffer", SILENT.values(), ids=SILENT.keys())
def test_what_may_be_meant_is_not_told(buffer: str) -> None:
    """A call may answer otherwise; what was there before the text is the user's."""
    assert found(buffer) == []
