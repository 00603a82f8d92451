"""A server's profile, from a server whose numbers are known, on a clock of its own."""

import asyncio
import heapq
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

import pytest

from synconfroute.clients.model import Finish, GenerationRequest, Probe, State, TextPrompt, Token
from synconfroute.errors import EvaluationError, ServerBusy
from synconfroute.evaluation.capacity.asking import made_up
from synconfroute.evaluation.capacity.measuring import Extent, measure
from synconfroute.evaluation.capacity.profile import Profile

PREFILL_S, OVERHEAD_S = 0.0004, 0.003
SMALL = Extent(most_at_once=8, tokens=24, prompts=(50, 200, 800))


class Clock:
    """Time that passes only where somebody waits for it; everything else takes none."""

    def __init__(self) -> None:
        self.now = 0.0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def __call__(self) -> float:
        """Seconds."""
        return self.now

    async def until(self, moment: float) -> None:
        """Wait for a moment."""
        self._count += 1
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (moment, self._count, woken))
        await woken

    async def pass_time(self) -> None:
        """Go on to the next moment that is waited for, whenever nothing else can be done."""
        while True:
            for _ in range(30):
                await asyncio.sleep(0)
            if self._waiting:
                self.now, _, woken = heapq.heappop(self._waiting)
                if not woken.done():
                    woken.set_result(None)


class Server:
    """A model server of `seats` seats; a step of n takes 10 + n ms, whenever it begins."""

    name, address, model = "openai", "http://127.0.0.1:1/v1", "m"

    def __init__(self, clock: Clock, seats: int = 64, length: int = 1_000) -> None:
        self.clock = clock
        self.seats = asyncio.Semaphore(seats)
        self.running = 0
        self.length = length
        self.prompts: list[str] = []
        self.most = 0

    async def stream(self, request: GenerationRequest) -> "Stream":
        """Begin an answer."""
        assert isinstance(request.prompt, TextPrompt)
        self.prompts.append(request.prompt.text)
        return Stream(self, len(request.prompt.text) // 5, min(request.max_tokens, self.length))

    async def probe(self) -> Probe:
        """It is ready."""
        return Probe(State.READY, "ready", model="m")

    async def aclose(self) -> None:
        """Nothing is open."""


class Stream:
    """One answer."""

    def __init__(self, server: Server, prompt: int, tokens: int) -> None:
        self._server = server
        self._prompt = prompt
        self._tokens = tokens
        self.finish: Finish | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Nothing is open."""

    def __aiter__(self) -> AsyncIterator[Token]:
        return self._answer()

    async def __anext__(self) -> Token:
        raise NotImplementedError

    async def _answer(self) -> AsyncIterator[Token]:
        server, clock = self._server, self._server.clock
        async with server.seats:
            await clock.until(clock.now + OVERHEAD_S + PREFILL_S * self._prompt)
            server.running += 1
            server.most = max(server.most, server.running)
            for _ in range(self._tokens):
                await clock.until(clock.now + (10 + server.running) / 1000)
                yield Token("1")
            server.running -= 1
            self.finish = Finish("length", self._tokens, prompt_tokens=self._prompt)


async def measured(server: "Server", **more: Any) -> Profile:
    """Measure it on its clock."""
    passing = asyncio.ensure_future(server.clock.pass_time())
    try:
        return await measure(server, SMALL, name="known", clock=server.clock, **more)
    finally:
        passing.cancel()


async def test_a_profile_holds_what_the_server_is() -> None:
    """Steps by how many run, a prompt's token, what a request costs before."""
    found = await measured(Server(Clock()))
    assert [batch for batch, _ in found.step_ms] == [1, 2, 4, 8]
    assert [ms for _, ms in found.step_ms] == pytest.approx([11, 12, 14, 18], rel=0.02)
    assert found.prefill_ms_per_token == pytest.approx(PREFILL_S * 1000, rel=0.02)
    assert found.overhead_ms == pytest.approx(OVERHEAD_S * 1000, rel=0.1)
    assert found.measured
    assert found.at_once == 256
    assert found.spread is not None
    assert found.spread < 0.05


async def test_seats_show_where_others_have_to_wait() -> None:
    """No level beyond them is asked for, and none that had to wait counts."""
    server = Server(Clock(), seats=3)
    found = await measured(server)
    assert found.at_once == 3
    assert [batch for batch, _ in found.step_ms] == [1, 2]
    assert server.most == 3


async def test_no_more_is_asked_than_was_said() -> None:
    """Neither requests nor tokens; and each text only once, so that no cache answers."""
    server = Server(Clock())
    told: list[int] = []
    await measured(server, on_answer=told.append)
    assert len(server.prompts) == SMALL.requests == sum(told)
    assert len(set(server.prompts)) == len(server.prompts)


async def test_answers_that_are_too_short_are_told() -> None:
    """A model that ends at once has no steps to be timed."""
    with pytest.raises(EvaluationError, match="too short"):
        await measured(Server(Clock(), length=2))
    with pytest.raises(EvaluationError, match="without a token"):
        await measured(Server(Clock(), length=0))


async def test_a_server_that_fails_among_many_is_told_once() -> None:
    """As the error that it is, and not as a group of them."""

    class Busy(Server):
        async def stream(self, request: GenerationRequest) -> Stream:
            if len(self.prompts) > 12:
                raise ServerBusy("It is busy.")
            return await super().stream(request)

    with pytest.raises(ServerBusy, match="It is busy"):
        await measured(Busy(Clock()))


@pytest.mark.parametrize("tokens", [1, 50, 1_000])
def test_texts_that_are_made_up_differ_from_their_first_line_on(tokens: int) -> None:
    """And grow with the tokens that are wanted."""
    heads = {made_up(tokens, number).partition("\n")[0] for number in range(500)}
    assert len(heads) == 500
    assert len(made_up(tokens, 1)) >= tokens * 2.5
