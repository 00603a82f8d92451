"""Repairs of answers that break the buffer, judged by the real validator."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.server.completion.finishing import Finishing
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.server.completion.repair import freely, shown, surely
from synconfroute.server.completion.repair.brackets import without_surplus_closers
from synconfroute.server.completion.repair.cut import cut_back
from synconfroute.server.completion.repair.indentation import at_header_level, reindented
from synconfroute.server.completion.text_doubts import GAP, text_doubts
from synconfroute.server.settings.tree import Limits
from synconfroute.validators import Validator
from synconfroute.validators.verdict import Outcome, Verdict, unknown

SECONDS = 20.0

LOOP = "def f(items):\n    total = 0\n    for item in items:\n"


@pytest.fixture(scope="module")
def validator() -> Iterator[Validator]:
    """The real validator with its parser process."""
    validator = Validator()
    yield validator
    validator.close()


@pytest.fixture
def judging(validator: Validator) -> Judging:
    """Verdicts, with time enough on a busy machine."""
    return Judging(validator, SECONDS)


@pytest.mark.parametrize(
    ("prefix", "suffix", "text", "mended"),
    [
        (LOOP, "\n    return total\n", "    total += item", "        total += item"),
        (LOOP, "\n    return total\n", "total += item", "        total += item"),
        (LOOP + "        ", "\n    return total\n", "total += item)", "total += item"),
        ("x = ", "\n", "f(1))", "f(1)"),
        ("x = ", "\n", "[f(1)]])", "[f(1)]"),
        ("x = ", "\n", "f(1, 2) then", "f(1, 2)"),
        ("x = ", "\n", "f(1, 2) @@ )", "f(1, 2)"),
    ],
)
async def test_a_broken_text_is_mended(
    judging: Judging, prefix: str, suffix: str, text: str, mended: str
) -> None:
    """The likeliest repair that the validator accepts is what is shown."""
    hole = Hole("python", prefix, suffix)
    assert (await judging.verdict(hole, text)).outcome is Outcome.INVALID
    repaired = await freely(hole, text, judging.verdict)
    assert repaired is not None
    assert repaired.text == mended
    assert repaired.verdict.outcome is Outcome.VALID
    assert await shown(hole, text, judging.verdict) == mended


@pytest.mark.parametrize(
    ("prefix", "suffix", "text"),
    [
        ("x = ", "\n", "= = ="),
        (LOOP, "\n    return total\n", "    ) total"),
        ("f(", ")\n", "]]]]]"),
    ],
)
async def test_what_cannot_be_mended_is_not_shown(
    judging: Judging, prefix: str, suffix: str, text: str
) -> None:
    """No repair is accepted that still breaks the buffer or leaves something open."""
    assert await shown(Hole("python", prefix, suffix), text, judging.verdict) == ""


async def test_valid_text_is_shown_as_it_is(judging: Judging) -> None:
    """Nothing is repaired that is not broken, whatever its level."""
    hole = Hole("python", LOOP + "        total += item\n", "\n    return total\n")
    for text in ("        total += 1", "    total += 1"):
        assert await shown(hole, text, judging.verdict) == text


async def test_what_nobody_can_judge_is_shown() -> None:
    """An unknown verdict is no reason to change or to hide a text."""

    async def judge(hole: Hole, text: str) -> Verdict:
        return unknown("a test says so")

    hole = Hole("python", "def f():\n    x = 1\n", "\n        g()\n")
    assert await shown(hole, "if a:", judge) == "if a:"


async def test_nothing_stays_nothing(judging: Judging) -> None:
    """An empty answer asks for no verdict."""
    assert await shown(Hole("python", "x = ", "\n"), "", judging.verdict) == ""


async def test_a_header_that_fits_nowhere_else_is_moved(judging: Judging) -> None:
    """The block below needs it one level up, and the text was not invalid."""
    hole = Hole("python", 'def f(n):\n    """Text."""\n', "\n        return n\n    return g(1)\n")
    verdict = await judging.verdict(hole, "def g(n):")
    assert verdict.outcome is Outcome.VALID
    repaired = await surely(hole, "def g(n):", verdict, judging.verdict)
    assert repaired is not None
    assert repaired.text == "    def g(n):"
    assert await shown(hole, "def g(n):", judging.verdict) == "    def g(n):"


async def test_the_score_is_of_the_moved_header(judging: Judging) -> None:
    """What the moved text no longer does speaks against it no longer."""
    hole = Hole("python", 'def f(n):\n    """Text."""\n', "\n        return n\n    return g(1)\n")
    tokens = (Token("def", -0.1), Token(" g(n):", -0.1))
    draft = Draft(tokens, "def g(n):", preamble=0, finished=True)
    made = await Finishing(judging, SECONDS, Limits(lines="single")).candidate(hole, draft, "m")
    assert made.text == "    def g(n):"
    assert made.repaired is not None
    assert made.signals is not None
    assert made.signals.doubts == frozenset()
    assert GAP in text_doubts(hole.prefix, draft.text, hole.suffix)


async def test_an_invalid_text_has_no_sure_repair(judging: Judging) -> None:
    """It is escalated where that is possible."""
    hole = Hole("python", LOOP, "\n            total += item\n    return total\n")
    verdict = await judging.verdict(hole, "    if item:")
    assert verdict.outcome is Outcome.INVALID
    assert await surely(hole, "    if item:", verdict, judging.verdict) is None
    assert await shown(hole, "    if item:", judging.verdict) == "        if item:"


@pytest.mark.parametrize(
    ("prefix", "suffix", "text", "moved"),
    [
        ("def f():\n", "\n        g()\n    h()\n", "if a:", "    if a:"),
        ("def f():\n", "\n        g()\n    h()\n", "        if a:", "    if a:"),
        ("def f():\n    x = 1\n", "\n        g()\n", "if a:", "    if a:"),
        ("def f():\n\tx = 1\n", "\n\t\tg()\n", "if a:", "\tif a:"),
        ("def f():\n    ", "\n        g()\n    h()\n", "    if a:", "if a:"),
        ("def f():\n", "\n        g()\n    h()\n", "    if a:", None),  # stands there already
        ("def f():\n", "\n        g()\n    h()\n", "x = 1", None),  # opens nothing
        ("def f():\n", "\n        g()\n", "if a:", None),  # 8 may be one level
        ("def f():\n", "\n    g()\n", "if a:", None),  # the line below needs none
        (
            "def f():\n    x = 1\n",
            "\n            g()\n",
            "if a:",
            None,
        ),  # one header does not reach it
        ('"""Text.\n"""\n', "\n    g()\n", "    if a:", None),  # the quotes' column says nothing
        ("x = ", "\n        g()\n", "if a:", None),  # within a line
        ("def f():\n    x = 1\n", "\n        g()\n", "if a:\n    if b:", None),  # two of them
    ],
)
def test_the_level_of_a_header(prefix: str, suffix: str, text: str, moved: str | None) -> None:
    """It is moved only where the lines around it leave one level."""
    assert at_header_level(Hole("python", prefix, suffix), text) == moved


def test_levels_are_python_only() -> None:
    """Where braces say what belongs together, a level is no repair."""
    hole = Hole("java", "void f() {\n", "\n}\n")
    assert list(reindented(hole, "g();")) == []
    assert at_header_level(hole, "if (a):") is None


def test_later_lines_move_along() -> None:
    """A block keeps its shape."""
    hole = Hole("python", "def f():\n", "\n")
    assert next(reindented(hole, "if a:\n    b()\nc()")) == "    if a:\n        b()\n    c()"


def test_the_cursor_is_not_moved_left() -> None:
    """What stands before the cursor stays: only deeper levels can be reached."""
    hole = Hole("python", "def f():\n    if a:\n        b()\n        ", "\n")
    assert all(text == text.lstrip(" ") for text in reindented(hole, "    c()"))


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("f(1))", ["f(1)"]),
        ("f(1)])", ["f(1)]", "f(1)"]),
        (
            "f(1);)",
            [
                "f(1);",
            ],
        ),
        ("x));", ["x);", "x;"]),
        ("f(1)", []),
        ("')'", []),
        (")", []),
    ],
)
def test_surplus_closers(text: str, less: list[str]) -> None:
    """Only brackets that the text did not open are dropped, one after the other."""
    assert list(without_surplus_closers(Hole("python", "", "\n"), text)) == less


def test_a_cut_leaves_half() -> None:
    """The nearest cut comes first, and less than half is another answer."""
    cuts = list(cut_back(Hole("python", "", "\n"), "one + two + three"))
    assert cuts == ["one + two +", "one + two"]


_TEXT = st.text(st.sampled_from("ab (){}[]\n\t:;,'\"`<|>") | st.characters(), max_size=60)


@given(prefix=_TEXT, suffix=_TEXT, text=_TEXT)
def test_any_input_has_few_repairs(prefix: str, suffix: str, text: str) -> None:
    """Whatever comes in, candidates differ from it, and there are not many."""
    hole = Hole("python", prefix, suffix)
    for repairs in (without_surplus_closers, cut_back):
        found = list(repairs(hole, text))
        assert len(found) <= 6
        assert all(len(each) < len(text) for each in found)
    assert text not in list(reindented(hole, text))
    assert at_header_level(hole, text) != text
