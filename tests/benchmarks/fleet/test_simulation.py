"""The simulation beside a server that is really asked. No times are held."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from benchmarks.fleet.simulation.__main__ import lines
from benchmarks.fleet.simulation.comparing import compared
from benchmarks.fleet.simulation.driving import Done, Driver, as_asked
from benchmarks.fleet.simulation.running import validate
from benchmarks.fleet.simulation.server import SCRIPTED, scripted
from synconfroute.clients.model import Finish, GenerationRequest, Token
from synconfroute.errors import ServerBusy
from synconfroute.evaluation.capacity.fleet import End, Site
from synconfroute.evaluation.capacity.measuring import Extent
from synconfroute.evaluation.capacity.profile import Profile
from synconfroute.evaluation.capacity.workload import Asked, Workload
from synconfroute.server.settings.tree import Escalation, Settings

HASTY = Settings(escalation=Escalation(deadline_ms=300))


async def test_a_server_is_measured_asked_and_simulated() -> None:
    """Each load has both columns, and the page its table."""
    small = replace(
        SCRIPTED, extent=Extent(most_at_once=2, tokens=16, prompts=(50, 200)), seconds=8.0,
        loads=(0.3,),
    )  # fmt: skip
    found = await validate(small, scripted())
    assert found.profile.measured
    assert found.capacity > 0
    (row,) = found.rows
    assert row.asked > 0
    assert row.measured.per_second > 0
    assert row.simulated.per_second > 0
    assert row.measured.seats is not None
    told = "\n".join(lines([found]))
    assert told.count("\n| ") == 2
    assert "scripted vLLM, 16 at once" in told


class Server:
    """Answers as its prompt's number says: with tokens, never, or not at all."""

    name, address, model = "openai", "http://127.0.0.1:1/v1", "m"

    def __init__(self) -> None:
        self.closed = 0

    async def stream(self, request: GenerationRequest) -> "Stream":
        """The number of tokens says what comes of it."""
        if request.max_tokens == 1:
            raise ServerBusy("It is busy.", 30.0)
        return Stream(self, request.max_tokens)


class Stream:
    """One answer."""

    def __init__(self, server: Server, tokens: int) -> None:
        self._server = server
        self._tokens = tokens
        self.finish: Finish | None = None

    async def __aenter__(self) -> "Stream":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.closed += 1

    def __aiter__(self) -> AsyncIterator[Token]:
        return self._answer()

    async def _answer(self) -> AsyncIterator[Token]:
        yield Token("1")
        if self._tokens == 3:
            await asyncio.Event().wait()
        yield Token("2")
        self.finish = Finish("stop", 2, prompt_tokens=7)


async def test_requests_end_as_the_clients_rules_say() -> None:
    """Answered, late, refused by the server and then by the breaker, and superseded."""
    asked = [
        Asked(0.0, 0, True, False, 10, 2),
        Asked(0.0, 1, True, False, 10, 3),
        Asked(0.01, 2, True, False, 10, 1),
        Asked(0.05, 2, True, False, 10, 2),
        Asked(0.06, 3, True, False, 10, 3),
        Asked(0.12, 3, True, False, 10, 2),
    ]
    server = Server()
    done = await Driver(server, HASTY).drive(asked, 0.5)  # type: ignore[arg-type]
    assert [each.end for each in done] == [
        End.ANSWERED, End.LATE, End.REFUSED, End.REFUSED, End.SUPERSEDED, End.ANSWERED,
    ]  # fmt: skip
    assert server.closed == 4
    assert done[0].prompt_tokens == 7
    same = as_asked(asked, done)
    assert [each.prompt_tokens for each in same] == [7] * 6
    assert [each.answer_tokens for each in same] == [2, 3, 1, 2, 3, 2]


def test_errors_are_the_simulated_over_the_measured() -> None:
    """And a load that nothing was answered of has none that is a number."""
    profile = Profile("p", True, 8, ((1, 10.0),), 0.0, 0.0)
    asked = [Asked(5.0 + number, number, True, False, 10, 10) for number in range(4)]
    done = [Done(each.at, End.ANSWERED, 0.2, 10, 10) for each in asked]
    found = compared(
        0.5, Workload(4), asked, done, 1.0, Site(profile, 1, network_ms=0.0), Settings(), 10.0
    )
    assert found.simulated.p50_ms == pytest.approx(100)
    assert found.measured.p50_ms == pytest.approx(200)
    assert found.error("p50_ms") == pytest.approx(-0.5)
    assert found.error("missed") == 0.0
    assert found.measured.under_way == pytest.approx(4 * 0.2 / 5)
