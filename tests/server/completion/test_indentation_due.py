"""The indentation that is due: only where the code around leaves one level."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.evaluation.datasets import load
from synconfroute.evaluation.datasets.rows import read_rows
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.indentation_due import indentation_due


def due(language: str, text: str) -> str:
    """What is due at the mark in a text."""
    prefix, _, suffix = text.partition("|")
    return indentation_due(Hole(language, prefix, suffix))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("def f(a):\n|\n", "    "),
        ("def f(a):\n  |\n", "  "),
        ("def f(a):\n    |\n", ""),
        ("def f(a):\n      |\n", ""),
        ("if a:\n\tb()\nif c:\n|\n", "\t"),
        ("if a:\n  b()\n  if c:  # why\n|\n", "    "),
        ("class A:\n    def f(self):\n|\n    def g(self): ...\n", "        "),
        ("def f(a):\n    b = 1\n|\n        c = 2\n", "    "),
        ('def f(a):\n    """Say."""\n|\n        c = 2\n', "    "),
        ("def f(a):\n    b = g(\n        1,\n    )\n|\n        c = 2\n", "    "),
        ('s = """\nnot " closed"""\nif a:\n|\n', "    "),
    ],
)
def test_python_below_a_header_and_where_only_a_header_fits(text: str, level: str) -> None:
    """One level deeper than the header above, or one less than what stands below; no more."""
    assert due("python", text) == level


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    b = 1\n|\n    c = 2\n",
        "def f(a):\n    return 1\n|\n        c = 2\n",
        "def f(a):\n    b = 1\n|\n\n",
        "a = {\n|\n    1: 2,\n}\n",
        "a = g(\n|\n    1,\n)\n",
        '"""Say.\n\nFor those who want to know:\n\nif so:\n|\n',
        "def f(\n    a):\n|\n        return 1\n",
        "def f():\n    a = g(1,\n          2)\n|\n              c = 2\n",
        "if a:\n|b = 1\n",
        "if a: b = |\n",
        "|\n    a = 1\n",
        "x:\n|\n",
    ],
)
def test_python_elsewhere_it_is_left_to_the_model(text: str) -> None:
    """Between equals, after a leave, within brackets and strings, on a line with code: nothing."""
    assert due("python", text) == ""


@pytest.mark.parametrize(
    ("language", "text", "level"),
    [
        ("java", "class A {\n  void f() {\n|\n  }\n}\n", "    "),
        ("java", "class A {\n|\n    int a;\n}\n", "    "),
        ("java", "class A {\n\tvoid f() {\n\t\tg();\n|\n\t}\n}\n", "\t\t"),
        ("cpp", "int f(int a)\n{\n|\n}\n", "    "),
        ("cpp", 'int f() {\n    g("{"); // {\n|\n}\n', ""),
        ("cpp", 'int f() {\n    g("{");\n|\n}\n', "    "),
        ("c", "int f(void) {\n    for (;;) {\n|\n        g();\n    }\n}\n", "        "),
        ("cpp", "namespace a {\n|\n}\n", ""),
        ("cpp", "class A {\n|\n    int a;\n};\n", ""),
        ("java", "class A {\n    void f() {\n        switch (a) {\n|\n        }\n    }\n}\n", ""),
        ("cpp", "namespace a {\nint f() {\n    return 1;\n|\n}\n", ""),
        ("cpp", "namespace a {\nint f() {\n    g();\n|\n}\n", ""),
        ("java", "void f(int a,\n        int b) {\n|\n}\n", ""),
        ("go", "func f() {\n|\n}\n", ""),
    ],
)
def test_braces_in_an_open_block_and_before_its_end(language: str, text: str, level: str) -> None:
    """Where every brace has its partner and the block's style is beyond doubt; else nothing."""
    assert due(language, text) == level


def test_a_window_of_a_buffer_is_not_read() -> None:
    """What stands before it may have opened a string."""
    assert indentation_due(Hole("python", "if a:\n", "\n", whole=False)) == ""


@given(
    language=st.sampled_from(["python", "java", "cpp", "c", "ruby"]),
    prefix=st.text(st.sampled_from("if :{}()\n\t\"'#/*") | st.characters(), max_size=60),
    suffix=st.text(st.sampled_from("a :{}()\n\t\"'#/*"), max_size=40),
)
def test_only_white_space_and_only_on_a_blank_line(language: str, prefix: str, suffix: str) -> None:
    """Whatever stands around: blanks and tabs in one line, nothing beside visible text."""
    hole = Hole(language, prefix, suffix)
    level = indentation_due(hole)
    assert not level.strip()
    assert "\n" not in level
    assert not level or not (hole.left.strip() or hole.right.strip())


@pytest.mark.parametrize(
    "prefix",
    ['"""a\\' * 60_000, "'" * 200_000, "if a: " * 40_000, "([{" * 60_000, " " * 200_000],
)
def test_a_long_buffer_takes_linear_time(prefix: str) -> None:
    """No text makes it slow: well under a second for what would take hours otherwise."""
    started = time.thread_time()
    indentation_due(Hole("python", prefix + "\nif a:\n", "\n"))
    indentation_due(Hole("java", prefix.replace("[", "{") + "\nvoid f() {\n", "\n}\n"))
    assert time.thread_time() - started < 2


def _lines(data: Path, language: str) -> Iterator[tuple[Hole, str]]:
    """Lines as they were written, in files of projects, with the cursor at their start."""
    for row in read_rows(data, "replay", f"{language}.jsonl"):
        prefix = row.text("prefix")
        start = prefix.rfind("\n") + 1
        truth = prefix[start:] + row.text("truth")
        if truth.strip():
            yield Hole(language, prefix[:start], row.text("suffix")), truth


def _right(cases: Iterator[tuple[Hole, str]]) -> tuple[int, int]:
    """In how many cases something is due, and in how many of these it is the truth's."""
    found = [
        level == truth[: len(truth) - len(truth.lstrip())]
        for hole, truth in cases
        if (level := indentation_due(hole))
    ]
    return len(found), sum(found)


def test_benchmark_lines_begin_where_it_says(data_folder: Path) -> None:
    """HumanEval single-line: tuned on even functions, as right on the odd ones."""
    tasks = load(data_folder, "humaneval-single-line")
    by_half = [
        _right(
            (Hole("python", task.prefix, task.below), task.truth)
            for task in tasks
            if int(task.group.split("/")[1]) % 2 == odd
        )
        for odd in (0, 1)
    ]
    assert by_half == [(223, 222), (279, 274)]


@pytest.mark.parametrize(
    ("language", "found"), [("python", (53, 53)), ("java", (79, 75)), ("cpp", (58, 58))]
)
def test_replayed_lines_begin_where_it_says(
    data_folder: Path, language: str, found: tuple[int, int]
) -> None:
    """Lines in the midst of an edit, from the history of projects."""
    assert _right(_lines(data_folder, language)) == found
