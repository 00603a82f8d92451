"""Verdicts on a growing text: made in the model's pauses, and never another than without them."""

import asyncio
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.foresight import PAUSE_S, Foresight, may_end
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.validators.mirror import Spot
from synconfroute.validators.verdict import Outcome, Verdict
from tests.server.completion.scripted import ScriptedValidator

HOLE = Hole("python", "x = ", "\n", path="calc.py", spot=Spot("calc", 1, 0, 4))
OUTCOMES = list(Outcome)


def outcome_of(text: str) -> Outcome:
    """Always the same of a text, and any."""
    return OUTCOMES[crc32(text.encode()) % len(OUTCOMES)]


class World:
    """A foresight before a scripted validator."""

    def __init__(self, hole: Hole = HOLE) -> None:
        self.log: list[str] = []
        self.validator = ScriptedValidator(outcome_of, self.log)
        self.confirmed: list[str] = []
        judging = Judging(self.validator, 1.0, self._confirm)
        self.hole = hole
        self.foresight = Foresight(hole, str.strip, judging)
        self.judging = judging

    async def verdict(self, text: str) -> Outcome:
        """The verdict at the text's end."""
        return (await self.foresight.verdict(self.hole, text)).outcome

    async def _confirm(self, _: Hole, text: str, verdict: Verdict) -> Verdict:
        self.confirmed.append(text)
        return verdict


async def pause() -> None:
    """As long as a model takes for a token."""
    await asyncio.sleep(5 * PAUSE_S)


async def test_a_text_that_rests_is_judged_before_its_end() -> None:
    """And at its end not again; what confirms verdicts is asked then only."""
    world = World()
    world.foresight.grew(" alpha")
    await pause()
    assert world.log == ["judged 'alpha' in calc"]
    assert world.confirmed == []
    assert await world.verdict("alpha") is outcome_of("alpha")
    assert world.log == ["judged 'alpha' in calc"]
    assert world.confirmed == ["alpha"]


async def test_a_text_that_goes_on_is_judged_as_it_ends() -> None:
    """What was foreseen of its beginning counts for nothing."""
    world = World()
    world.foresight.grew("alpha")
    await pause()
    assert await world.verdict("alpha.beta") is outcome_of("alpha.beta")
    assert world.log == ["judged 'alpha' in calc", "judged 'alpha.beta' in calc"]


async def test_tokens_that_come_at_once_are_judged_once() -> None:
    """No work is added where a model makes no pauses."""
    world = World()
    for end in range(1, 6):
        world.foresight.grew("alpha"[:end])
    assert await world.verdict("alpha") is outcome_of("alpha")
    await pause()
    assert world.log == ["judged 'alpha' in calc"]


async def test_an_unknown_verdict_is_asked_for_again() -> None:
    """The parser may have been busy in that moment."""
    unknown = next(text for text in "abcdefgh" if outcome_of(text) is Outcome.UNKNOWN)
    world = World()
    world.foresight.grew(unknown)
    await pause()
    assert await world.verdict(unknown) is Outcome.UNKNOWN
    assert world.log == [f"judged {unknown!r} in calc"] * 2


async def test_whoever_rests_asks_nothing() -> None:
    """The answer is given up, or doubted."""
    world = World()
    world.foresight.grew("alpha")
    world.foresight.rest()
    await pause()
    assert world.log == []


async def test_a_buffer_that_is_not_followed_is_sent_only_at_the_end() -> None:
    """A verdict costs what the file holds there."""
    world = World()
    world.validator.follows = False
    world.foresight.grew("alpha")
    await pause()
    assert world.log == []
    assert await world.verdict("alpha") is outcome_of("alpha")
    assert world.log == ["judged 'alpha'"]


@pytest.mark.parametrize("text", ["", "f(", "f(a", "a, ", "a +", "a.", "xs[1", "x =", "\n", "a \n"])
async def test_what_certainly_goes_on_is_not_judged(text: str) -> None:
    """Behind an operator, a comma, or in open brackets."""
    assert not may_end(text)
    world = World()
    world.foresight.grew(text)
    await pause()
    assert world.log == []


@pytest.mark.parametrize("text", ["alpha", "f(a)", "x > 3:", "if (x) {", "xs[1]", "i;", "b)", "]"])
def test_what_may_be_all_is_judged(text: str) -> None:
    """Also a header, which one line may be, and a bracket that stood open before."""
    assert may_end(text)


@given(st.lists(st.tuples(st.text("ab().\n", max_size=3), st.booleans()), max_size=6))
def test_foresight_changes_no_verdict(tokens: list[tuple[str, bool]]) -> None:
    """Whatever comes, and whenever."""

    async def run() -> None:
        world, written = World(), ""
        for token, rests in tokens:
            written += token
            world.foresight.grew(written)
            if rests:
                await asyncio.sleep(PAUSE_S)
        assert await world.verdict(written.strip()) is outcome_of(written.strip())

    asyncio.run(run())
