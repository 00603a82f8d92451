"""Among the line ends of a text, the one where it is cut."""

from collections.abc import Iterator

import pytest

from synconfroute.clients.model import Token
from synconfroute.server.completion.cutting import MOST, best_cut, ends_unfinished
from synconfroute.server.completion.finishing import Finishing
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.server.settings.tree import Limits
from synconfroute.validators import Validator
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown

HOLE = Hole("python", "def f(n):\n    ", "\n    return total\n")
VALID = Verdict(Outcome.VALID, "it parses")
INVALID = Verdict(Outcome.INVALID, "it breaks")
SECONDS = 20.0


def doubted(kind: str) -> Verdict:
    """Valid, with evidence."""
    return Verdict(Outcome.VALID, "it parses", (Evidence(kind, "a message", 1),))


@pytest.mark.parametrize(
    ("verdicts", "kept"),
    [
        ((VALID, VALID, VALID), 3),
        ((VALID, VALID, INVALID), 2),
        ((VALID, doubted("open"), INVALID), 1),
        ((VALID, VALID, doubted("unreachable")), 2),
        ((VALID, VALID, doubted("duplicate")), 2),
        ((doubted("missing"), VALID, INVALID), 2),
        ((VALID, VALID, doubted("name")), 3),
        ((INVALID, doubted("missing"), doubted("open")), 3),
        ((doubted("missing"), INVALID, INVALID), 1),
        ((INVALID, INVALID, INVALID), 3),
        ((VALID, VALID, unknown("no parser")), 3),
    ],
)
async def test_the_last_line_end_that_nothing_speaks_against(
    verdicts: tuple[Verdict, ...], kept: int
) -> None:
    """Evidence that a text ends too early or late weighs less than a verdict, a name nothing."""
    text = "a = 1\nb = 2\nc = 3"

    async def judge(_: Hole, cut: str) -> Verdict:
        return verdicts[cut.count("\n")]

    cut = await best_cut(HOLE, text, judge, unfinished=False)
    assert cut.text == "\n".join(text.split("\n")[:kept])
    assert cut.verdict == verdicts[kept - 1]


async def test_the_last_line_of_an_unfinished_text_is_half() -> None:
    """It is not tried, unless there is no other."""
    asked: list[str] = []

    async def judge(_: Hole, cut: str) -> Verdict:
        asked.append(cut)
        return VALID

    assert (await best_cut(HOLE, "a = 1\nb = ", judge, unfinished=True)).text == "a = 1"
    assert (await best_cut(HOLE, "\nb = g", judge, unfinished=True)).text == "\nb = g"
    assert asked == ["a = 1", "\nb = g"]


async def test_a_long_text_is_tried_from_its_end() -> None:
    """No more than so many verdicts are asked for."""
    asked: list[str] = []

    async def judge(_: Hole, cut: str) -> Verdict:
        asked.append(cut)
        return INVALID

    text = "\n".join(f"a{at}" for at in range(3 * MOST))
    assert (await best_cut(HOLE, text, judge, unfinished=False)).text == text
    assert len(asked) == MOST


@pytest.mark.parametrize(
    ("text", "ending", "unfinished"),
    [
        ("a = 1\nb =", "length", True),
        ("a = 1\nb =", "stop", False),
        ("a = 1", "length", False),
    ],
)
def test_what_is_unfinished(text: str, ending: str, *, unfinished: bool) -> None:
    """A text that the limit of tokens ended, unless cleaning cut off its end."""
    assert ends_unfinished(text, "a = 1\nb = ", ending) == unfinished


@pytest.fixture(scope="module")
def judging() -> Iterator[Judging]:
    """The real validator, with time enough on a busy machine."""
    validator = Validator()
    yield Judging(validator, SECONDS)
    validator.close()


@pytest.mark.parametrize(
    ("text", "ending", "kept"),
    [
        ("total = 0\n    for i in n:\n        total +=", "length", "total = 0"),
        ("total = sum(n)\n    return 1", "stop", "total = sum(n)"),
        ("total = sum(n)\n    if total:\n", "stop", "total = sum(n)"),
        ("a = 1\n    total = a\n    b = (", "stop", "a = 1\n    total = a"),
        ("total = 0\n    for i in n:\n        total += i", "closed", None),
    ],
)
async def test_a_candidate_of_several_lines(
    judging: Judging, text: str, ending: str, kept: str | None
) -> None:
    """Half a line, a jump over the code below, an empty block, damage: all are cut off."""
    draft = Draft((Token(text, -0.1),), text, preamble=0, finished=True, ending=ending)
    finishing = Finishing(judging, SECONDS, Limits(lines="multi"))
    candidate = await finishing.candidate(HOLE, draft, "m")
    assert candidate.text == (text if kept is None else kept)
    assert candidate.verdict is not None
    assert candidate.verdict.outcome is Outcome.VALID
