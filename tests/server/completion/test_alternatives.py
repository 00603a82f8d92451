"""Further texts for one place: different, of use, and in time."""

import asyncio
from dataclasses import replace

import pytest

from synconfroute.server.completion.alternatives import TEMPERATURE, Alternatives
from synconfroute.server.completion.answer import Answer, Reason
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.local_answers import Draw
from tests.server.completion.test_type_through import MADE

HOLE = Hole("python", "def f(a, b):\n    ", "\n", explicit=True)
FIRST = Answer("return a + b", MADE)


class Model:
    """Draws these texts one after the other; None: of no use; an error: it failed."""

    def __init__(self, *texts: str | Reason | None) -> None:
        self.texts = list(texts)
        self.draws: list[Draw] = []
        self.cancelled = False

    async def draw(self, _hole: Hole, which: int, draw: Draw) -> Answer:
        """The next one; after the last it takes for ever."""
        self.draws.append(draw)
        if not self.texts:
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled = True
        text = self.texts.pop(0)
        made = replace(MADE, request_id=f"d{which}", alternative=which)
        if isinstance(text, Reason):
            return Answer(None, replace(made, reason=text))
        return Answer(text, made)

    async def beside(self, first: Answer = FIRST, most: int = 2, seconds: float = 20) -> list[str]:
        """The texts that are shown."""
        alternatives = Alternatives(self.draw, most=most, seconds=seconds)
        answer = await alternatives.beside(HOLE, first)
        ids = [each.provenance.request_id for each in (answer, *answer.others)]
        assert len(set(ids)) == len(ids)
        assert all(not each.others for each in answer.others)
        return [each.text or "" for each in (answer, *answer.others)]


async def test_as_many_as_wanted_and_no_more_are_drawn() -> None:
    """Behind the first, each by a seed of its own that is the same every time."""
    model = Model("return a", "return b", "pass")
    assert await model.beside() == [FIRST.text, "return a", "return b"]
    assert model.draws == [Draw(TEMPERATURE, 1), Draw(TEMPERATURE, 2)]


async def test_the_same_text_and_useless_ones_are_drawn_again() -> None:
    """White space alone makes no difference. After two draws for each wanted it is enough."""
    model = Model("return a  +  b", None, "return b", "return b")
    assert await model.beside() == [FIRST.text, "return b"]
    assert len(model.draws) == 4


async def test_what_is_not_there_in_time_is_given_up() -> None:
    """The first and what was drawn until then are shown; the stream is closed."""
    model = Model("return b")
    assert await model.beside(seconds=0.05) == [FIRST.text, "return b"]
    assert model.cancelled


async def test_a_model_that_fails_is_not_asked_again() -> None:
    """What is there already is shown."""
    model = Model("return b", Reason.ERROR, "pass")
    assert await model.beside() == [FIRST.text, "return b"]
    assert len(model.draws) == 2


async def test_where_the_first_shows_nothing_another_takes_its_place() -> None:
    """It was invalid, or empty; after a failure nothing is tried."""
    nothing = Answer(None, replace(MADE, reason=Reason.INVALID))
    assert await Model("return b", "pass").beside(nothing) == ["return b", "pass"]
    assert await Model(None, None).beside(nothing, most=1) == [""]
    failed = Answer(None, replace(MADE, reason=Reason.ERROR))
    model = Model("pass")
    assert await model.beside(failed) == [""]
    assert model.draws == []


async def test_a_model_too_slow_for_further_texts_does_not_hold_the_first_back() -> None:
    """What it took to read the prompt does not count: that is in its cache."""
    model = Model("return b", "pass")
    for first_token, drawn in ((900.0, 2), (300.0, 0)):
        timings = {"local_first_token": first_token, "local": 1_000.0}
        slow = Answer(FIRST.text, replace(MADE, timings_ms=timings))
        model.draws.clear()
        await model.beside(slow, seconds=0.5)
        assert len(model.draws) == drawn


async def test_none_wanted_none_drawn() -> None:
    """Switched off."""
    model = Model("pass")
    assert await model.beside(most=0) == [FIRST.text]
    assert model.draws == []


async def test_cancelling_ends_the_draw() -> None:
    """The user typed something else."""
    model = Model()
    task = asyncio.ensure_future(model.beside())
    while not model.draws:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.cancelled
