"""What nobody asked for yet, and further texts: the local model alone, and all of it is told."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from synconfroute.clients.model import Token
from synconfroute.errors import ServerUnreachable
from synconfroute.server.completion.answer import Reason, Tier
from synconfroute.server.completion.local_answers import Draw
from synconfroute.server.settings.tree import Settings
from tests.server.completion.scripted import SURE, UNSURE, words
from tests.server.completion.test_pipeline import BAD, GOOD, Script, World

DRAW = Draw(temperature=0.8, seed=7)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world with an organisation server configured."""
    return World(tmp_path)


async def test_a_good_answer_is_there_ahead(world: World) -> None:
    """As if it had been asked for; it says that it was not."""
    pipeline = world.pipeline([*words(GOOD)], org=[])
    answer = await pipeline.complete(world.hole(ahead=True))
    assert answer.text == GOOD
    assert answer.provenance.ahead
    assert world.made == [answer.provenance]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ([*words("return x y", UNSURE), asyncio.Event()], Reason.LOW_CONFIDENCE),
        ([*words(BAD)], Reason.INVALID),
    ],
)
async def test_nothing_leaves_for_what_nobody_asked_for(
    world: World, script: Script, reason: Reason
) -> None:
    """Where it would be escalated it ends, at the third token or at the last."""
    async with asyncio.timeout(20):
        answer = await world.pipeline(script, org=[]).complete(world.hole(ahead=True))
    assert (answer.text, answer.provenance.tier) == (None, None)
    assert answer.provenance.reason is reason
    assert answer.provenance.tokens_discarded == answer.provenance.tokens_generated > 0
    assert world.ledger_lines == []
    assert "org asked" not in world.log
    assert "local closed" in world.log
    assert world.made == [answer.provenance]


async def test_where_nothing_can_be_escalated_an_unsure_answer_is_there_ahead(
    world: World,
) -> None:
    """The same as when it is asked for."""
    world.settings = Settings()
    pipeline = world.pipeline([*words(GOOD, UNSURE)])
    answer = await pipeline.complete(world.hole(ahead=True))
    assert answer.text == GOOD


async def test_a_further_text_is_drawn_from_the_local_model(world: World) -> None:
    """With the temperature and the seed asked for, whatever its confidence."""
    pipeline = world.pipeline([*words(GOOD, UNSURE)], org=[])
    answer = await pipeline.draw(world.hole(), 2, DRAW)
    assert answer.text == GOOD
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.alternative == 2
    (request,) = world.local.client.requests
    assert (request.temperature, request.seed) == (0.8, 7)
    assert request.request_id == answer.provenance.request_id
    assert world.made == [answer.provenance]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ([*words(BAD)], Reason.INVALID),
        ([Token("\n", SURE)], Reason.EMPTY),
        ([Token("x", SURE), ServerUnreachable("It broke.")], Reason.ERROR),
        (ServerUnreachable("It is down."), Reason.ERROR),
    ],
)
async def test_a_further_text_that_is_no_use_is_dropped(
    world: World, script: Script | Exception, reason: Reason
) -> None:
    """It is not repaired or escalated, and nobody is told: the first text is there."""
    answer = await world.pipeline(script, org=[]).draw(world.hole(), 1, DRAW)
    assert answer.text is None
    assert answer.provenance.reason is reason
    assert world.notices == []
    assert "org asked" not in world.log


async def test_a_drawn_text_that_is_cancelled_closes_its_stream(world: World) -> None:
    """And its tokens are told."""
    never = asyncio.Event()
    pipeline = world.pipeline([*words("return a"), never])
    task = asyncio.create_task(pipeline.draw(world.hole(), 1, DRAW))
    while len(world.log) < 1:
        await asyncio.sleep(0)
    for _ in range(10):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.log[-1] == "local closed"
    (made,) = world.made
    assert made == replace(made, reason=Reason.CANCELLED, tokens_generated=2, tokens_discarded=2)
