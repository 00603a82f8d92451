"""What of an answer is executed: raw and cleaned."""

from dataclasses import replace

import pytest

from synconfroute.evaluation.generation.reading import cleaned_text, raw_text
from tests.evaluation.generation.functions import task

LINE = task(0)
LINES = task(0, "humaneval-multi-line")
WITHIN = replace(task(0, "safim-block-java"), whole_lines=False)


@pytest.mark.parametrize(
    ("of", "text", "raw"),
    [
        (LINE, "\n\n    return a\n    more", "    return a"),
        (LINE, "    return a", "    return a"),
        (LINE, "", ""),
        (LINES, "\n    if a:\n        return b\n", "    if a:\n        return b"),
        (WITHIN, "\n  x();\n", "\n  x();\n"),
    ],
)
def test_raw_is_the_benchmarks_own_reading(of: object, text: str, raw: str) -> None:
    """Leading line breaks are dropped, of a line the first one stays, no line break ends it."""
    assert isinstance(of, type(LINE))
    assert raw_text(of, text) == raw


@pytest.mark.parametrize(
    "text",
    [
        "return a + b",
        "```python\nreturn a + b\n```",
        "\n    return a + b\n\nThis adds them.",
        "        return a + b<|im_end|>",
        "```\r\nreturn a + b\r\n```",
    ],
)
def test_the_papers_reading_leaves_the_code_where_it_belongs(text: str) -> None:
    """Fences, control tokens and further lines go; the indentation is repaired."""
    assert cleaned_text(LINE, text, "paper") == "    return a + b"


def test_the_live_reading_is_the_servers_cleaning() -> None:
    """No indentation is repaired: a wrong level is a signal."""
    assert cleaned_text(LINE, "```\nreturn a + b\n```", "live") == "return a + b"
    assert cleaned_text(LINES, "    if a:\n        b\n", "live") == "    if a:\n        b"
