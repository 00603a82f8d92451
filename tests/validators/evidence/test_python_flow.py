"""Jumps that cut code off, and lines that already stand below."""

import pytest

from tests.validators.evidence.marked import found


@pytest.mark.parametrize(
    ("buffer", "line"),
    [
        pytest.param("def f(a):\n«    return a\n»    print(a)\n", 3, id="return"),
        pytest.param("def f(a):\n«    raise a\n»    print(a)\n", 3, id="raise"),
        pytest.param("for a in b():\n«    continue\n»    print(a)\n", 3, id="continue"),
        pytest.param(
            "def f(a):\n«    if a:\n        return 1\n    else:\n        return 2\n»    print(a)\n",
            6,
            id="both branches",
        ),
        pytest.param("def f(a):\n    return a\n«    print(a)\n»", 3, id="the text itself"),
        pytest.param(
            "def f(a):\n«    for x in range(9):\n»        return a\n", 2, id="a loop of one round"
        ),
    ],
)
def test_what_never_runs_is_found(buffer: str, line: int) -> None:
    """It is told with the line that never runs, or the loop that never goes round."""
    assert ("unreachable", line) in found(buffer)


SILENT = {
    "a jump at the end of its block": "def f(a):\n    if a:\n«        return a\n»    return 0\n",
    "a filler behind a return": "def f(a):\n    for x in a:\n«        return x\n»        break\n",
    "a generator's mark": "def f():\n«    return\n»    yield\n",
    "cut off before": "def f(a):\n    return a\n    print(a)\n«    print(a, a)\n»    print()\n",
    "a with that may swallow": "def f(a):\n«    with a:\n        raise a\n»    return a\n",
    "the first element": "def f(a):\n    for x in a:\n«        return x\n»    return None\n",
    "is it empty": "def f(a):\n    for _ in a:\n«        return True\n»    return False\n",
    "retried": "def f(a):\n    while True:\n        try:\n            a()\n"
    "        except OSError:\n            continue\n«        break\n»    return a\n",
}


@pytest.mark.parametrize("buffer", SILENT.values(), ids=SILENT.keys())
def test_what_runs_or_did_not_run_before_is_not_told(buffer: str) -> None:
    """Evidence is differential, and silent about idioms."""
    assert [kind for kind, _ in found(buffer) if kind == "unreachable"] == []


@pytest.mark.parametrize(
    "buffer",
    [
        "def f(a):\n«    total = a + 1\n»    total = a + 1\n    return total\n",
        "def f(a):\n«    total = a + 1»\n\n    total = a + 1\n    return total\n",
        "def f(a):\n    total = «a + 1»\n    total = a + 1\n    return total\n",
        "def f(a):\n    tot«al = a» + 1\n    total = a + 1\n    return total\n",
    ],
)
def test_a_line_that_stands_right_below_is_found(buffer: str) -> None:
    """Whole lines are compared, wherever the cursor was."""
    assert found(buffer) == [("duplicate", 2)]


@pytest.mark.parametrize(
    "buffer",
    [
        "x = [\n«    0,\n»    0,\n]\n",
        "def f(a):\n    if a:\n«        a += 1\n»    a += 1\n    return a\n",
        "def f(a):\n«    a += 1\n»    a += 2\n    a += 1\n    return a\n",
    ],
)
def test_lines_that_differ_or_say_little_are_no_duplicates(buffer: str) -> None:
    """Another indentation, another text, a lone value."""
    assert found(buffer) == []
