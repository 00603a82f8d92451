"""The ways to cut one stored answer."""

from collections.abc import Iterator

import pytest

from synconfroute.clients.model import Token
from synconfroute.evaluation.cutting.replay import Replay
from synconfroute.evaluation.cutting.ways import line_ends, plain_cut, ways_of
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion.hole import Hole
from tests.evaluation.generation.functions import task

PIECES = (
    *("if a:\n", "        b += a\n", "    return a + b\n", "\n\n", "# Test\n", "assert add(1,"),
    *(" 2)", " == 3\n", "def", " after_1():\n", "    pass"),
)


@pytest.fixture(scope="module")
def replay() -> Iterator[Replay]:
    """One parser process for all."""
    replay = Replay()
    yield replay
    replay.close()


def stored(*pieces: str, given: str = "    ", finish: str = "length") -> Stored:
    """An answer of these tokens."""
    to = task(1, "humaneval-multi-line")
    tokens = tuple(Token(piece, -0.1) for piece in pieces)
    text = given + "".join(pieces)
    return Stored(to, Prediction(to.id, text, tokens, provenance={"finish": finish}))


async def test_each_way(replay: Replay) -> None:
    """Each cuts where its definition says, and the server waits for no more than it needs."""
    ways = await ways_of(stored(*PIECES), replay)
    assert ways.texts == {
        "raw": "    " + "".join(PIECES),
        "shortest": "    if a:\n        b += a",
        "longest": "    " + "".join(PIECES),
        "plain": "    if a:\n        b += a\n    return a + b",
        "structural": "    if a:\n        b += a\n    return a + b",
    }
    assert len(ways.ends) == 7
    assert ways.tokens == 5


async def test_a_text_that_never_parses(replay: Replay) -> None:
    """It has neither a shortest nor a longest cut; the server keeps it, for its verdict."""
    ways = await ways_of(stored(") a b", finish="stop"), replay)
    assert (ways.texts["shortest"], ways.texts["longest"]) == ("", "")
    assert ways.tokens == 1


async def test_the_limit_of_tokens_is_replayed(replay: Replay) -> None:
    """Half a line at the end of a recorded stream is half a line to the server."""
    ways = await ways_of(stored("b += a\n", "    return a +"), replay)
    assert ways.texts["structural"] == "    b += a"
    ways = await ways_of(stored("b += a\n", "    return a", finish="stop"), replay)
    assert ways.texts["structural"] == "    b += a\n    return a"


def test_line_ends() -> None:
    """Blank lines have none of their own."""
    assert line_ends("a\n\n  b\n") == ("a", "a\n\n  b")
    assert line_ends("\n") == ()


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("a\n    b\n    c", "a\n    b"),
        ("a\n\n    b\n", "a\n\n    b"),
        ("a\nb", "a"),
        ("a\n        b\n    d", "a\n        b\n    d"),
        ("c\n    b", "c\n    b"),
    ],
)
def test_the_plain_cut(text: str, cut: str) -> None:
    """At a dedent, or at the first line below; never before the text's own first line."""
    assert plain_cut(Hole("python", "def f():\n    ", "\n    c\n"), text) == cut
