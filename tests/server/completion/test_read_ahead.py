"""The local model reads a prompt while nobody types, and gives way to everything."""

import asyncio
from dataclasses import replace

import pytest

from synconfroute.errors import ServerUnreachable
from synconfroute.server.completion.answer import Provenance
from synconfroute.server.completion.counts import Event
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.completion.flow import Flow
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.pipeline import Pipeline
from synconfroute.server.completion.power import ON_BATTERY, Power
from synconfroute.server.settings.tree import Local, Org, Settings
from synconfroute.server.settings.tree import Typing as TypingSettings
from synconfroute.validators.verdict import Outcome
from tests.server.completion.scripted import (
    ScriptedClient,
    ScriptedLocal,
    ScriptedValidator,
    words,
)
from tests.server.completion.test_flow import HOLE, TEXT, Models

OTHER = replace(HOLE, uri="file:///b.py", prefix="x = ")
NO_WAIT = TypingSettings(debounce_ms=0)


class Desk:
    """A flow whose rest between turning to a document and reading is over at once."""

    def __init__(self, settings: Settings | None = None, *, on_battery: bool = False) -> None:
        self.models = Models()
        self.rested = 0
        self.power = Power(lambda: on_battery)
        chosen = settings or Settings(typing=NO_WAIT)
        self.flow = Flow(self.models, settings=chosen, sleep=self._rest, power=self.power)

    @property
    def log(self) -> list[str]:
        """What the models did, in order."""
        return self.models.log

    async def completes(self, hole: Hole) -> str | None:
        """A completion's text."""
        return (await self.flow.complete(hole, lambda _: None)).text

    async def turns_to(self, hole: Hole) -> None:
        """Turn to a document and rest there."""
        self.flow.turned_to(hole, goes_on=True)
        for _ in range(6):
            await asyncio.sleep(0)

    async def _rest(self, _seconds: float) -> None:
        self.rested += 1


async def test_the_prompt_is_read_once_the_user_rests() -> None:
    """In a session in which the model has answered; connections are made ready in any case."""
    desk = Desk()
    await desk.turns_to(OTHER)
    assert (desk.log, desk.models.turned) == ([], [OTHER])
    await desk.completes(HOLE)
    await desk.turns_to(OTHER)
    assert desk.log == ["asked", "reads"]
    assert desk.models.turned == [OTHER, OTHER]
    await desk.flow.aclose()


async def test_a_request_waits_until_the_reading_has_ended() -> None:
    """At most one stream of ours runs: the older one is closed before the newer is asked for."""
    desk = Desk()
    await desk.completes(HOLE)
    await desk.turns_to(OTHER)
    assert await desk.completes(OTHER) == TEXT
    assert desk.log == ["asked", "reads", "read", "asked"]


async def test_a_key_ends_the_reading() -> None:
    """What was read there is of no use any more, and the next request needs the model."""
    desk = Desk()
    await desk.completes(HOLE)
    await desk.turns_to(OTHER)
    desk.flow.typed()
    for _ in range(5):
        await asyncio.sleep(0)
    assert desk.log == ["asked", "reads", "read"]


async def test_the_newest_document_is_read() -> None:
    """One reading at a time: the one before has ended when the next begins."""
    desk = Desk()
    await desk.completes(HOLE)
    await desk.turns_to(OTHER)
    await desk.turns_to(HOLE)
    assert desk.log == ["asked", "reads", "read", "reads"]
    await desk.flow.aclose()
    assert desk.log[-1] == "read"


async def test_a_document_without_a_place_is_not_read() -> None:
    """Nobody knows where the user would go on; connections are made ready all the same."""
    desk = Desk()
    await desk.completes(HOLE)
    desk.flow.turned_to(OTHER, goes_on=False)
    await asyncio.sleep(0)
    assert (desk.log, desk.models.turned) == (["asked"], [OTHER])


@pytest.mark.parametrize(
    ("settings", "on_battery"),
    [
        (Settings(typing=NO_WAIT, local=Local(warm_up=False)), False),
        (Settings(typing=NO_WAIT), True),
    ],
    ids=["switched off", "on battery"],
)
async def test_where_nothing_is_read(settings: Settings, on_battery: bool) -> None:
    """By the settings, or to save the battery."""
    desk = Desk(settings, on_battery=on_battery)
    await desk.power.look()
    await desk.completes(HOLE)
    await desk.turns_to(OTHER)
    assert desk.log == ["asked"]


async def test_on_battery_completions_come_only_when_asked_for() -> None:
    """Where the user wants it so; the reason is told, and gone with the battery."""
    plugged = False
    settings = Settings(typing=replace(NO_WAIT, on_battery="ask_only"))
    desk = Desk(settings)
    power = Power(lambda: not plugged)
    desk.flow = Flow(desk.models, settings=settings, power=power)
    await power.look()
    answer = await desk.flow.complete(HOLE, lambda _: None)
    assert (answer.text, answer.provenance.problem) == (None, ON_BATTERY)
    assert desk.flow.paused == ON_BATTERY
    assert await desk.completes(replace(HOLE, explicit=True)) == TEXT
    plugged = True
    await power.look()
    assert desk.flow.paused == ""
    assert await desk.completes(OTHER) == TEXT


async def test_on_battery_all_goes_on_by_default() -> None:
    """Nobody asked for less."""
    desk = Desk(on_battery=True)
    await desk.power.look()
    assert await desk.completes(HOLE) == TEXT
    assert desk.flow.paused == ""


class Pipe:
    """A pipeline with scripted ends."""

    def __init__(self, *scripts: object) -> None:
        self.log: list[str] = []
        self.made: list[tuple[str, Provenance]] = []
        self.local = ScriptedClient("local", *scripts, log=self.log)  # type: ignore[arg-type]
        self.org = ScriptedClient("org", log=self.log)
        settings = Settings(org=Org(url="http://127.0.0.1:1/v1", model="big"))
        self.pipeline = Pipeline(
            settings,
            ScriptedLocal(self.local),
            OrgTier(settings, Ledger(), self.org),
            ScriptedValidator(lambda _: Outcome.VALID, self.log),
            on_notice=self.log.append,
            on_made=lambda language, made: self.made.append((language, made)),
        )


async def test_what_is_read_is_what_a_request_would_begin_with() -> None:
    """The same prompt, for one token; it is never the organisation's model that reads."""
    pipe = Pipe(words("return"), words(TEXT))
    await pipe.pipeline.read(HOLE)
    assert pipe.log == ["local asked", "local closed"]
    await pipe.pipeline.complete(HOLE)
    read, asked = pipe.local.requests
    assert read.prompt == asked.prompt
    assert read.max_tokens == 1 < asked.max_tokens


async def test_what_was_written_while_reading_is_counted() -> None:
    """As tokens that the model wrote; not as a completion that anybody asked for."""
    pipe = Pipe(words("return"))
    await pipe.pipeline.read(HOLE)
    ((language, made),) = pipe.made
    counted: dict[str, int] = {}
    feedback = Feedback(
        lambda _, name, number: counted.update({name: counted.get(name, 0) + number}),
        lambda _: None,
    )
    feedback.made(language, made)
    assert counted == {Event.READ: 1, Event.GENERATED: 1}


async def test_a_model_that_cannot_read_is_not_complained_about() -> None:
    """A completion will tell; here nobody asked for anything."""
    desk = Desk()
    await desk.completes(HOLE)

    async def fails(_: Hole) -> None:
        raise ServerUnreachable("Nothing answers.")

    desk.models.read = fails  # type: ignore[method-assign,assignment]
    await desk.turns_to(OTHER)
    assert await desk.completes(OTHER) == TEXT
