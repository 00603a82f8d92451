"""Between the user's typing and the model: what is known already, what is unwanted, when to ask."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from synconfroute.server.completion.alternatives import Alternatives
from synconfroute.server.completion.answer import Answer, Provenance, unasked
from synconfroute.server.completion.automatic import unwanted
from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.completer import Completer
from synconfroute.server.completion.debounce import Debounce
from synconfroute.server.completion.following import Followers
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.local_answers import Draw
from synconfroute.server.completion.power import ON_BATTERY, Power
from synconfroute.server.completion.read_ahead import ReadAhead
from synconfroute.server.completion.type_through import TypeThrough
from synconfroute.server.settings.tree import Settings
from synconfroute.validators.parsers import Parsers


class Asked(Protocol):
    """Asks the models."""

    @property
    def model(self) -> str:
        """The local model that would be asked now; "" while that is not known."""
        ...

    @property
    def breaker(self) -> State | None:
        """Whether the organisation's server is asked now; None where there is none."""
        ...

    @property
    def follower(self) -> Followers:
        """Wants to know of every open document."""
        ...

    async def complete(self, hole: Hole, on_text: Callable[[str], None] | None = None) -> Answer:
        """The completion for a hole; `on_text` is told the local text as it grows."""
        ...

    def shown(self, request_id: str) -> None:
        """The user was shown an answer of the organisation's server: the ledger is told."""
        ...

    def turned_to(self, hole: Hole) -> None:
        """The user has turned to a document: have connections open when requests want them."""
        ...

    async def read(self, hole: Hole) -> None:
        """Have the local model read the prompt for a hole."""
        ...

    async def draw(self, hole: Hole, which: int, draw: Draw) -> Answer:
        """A further text for a hole, drawn from the local model by chance."""
        ...

    async def warm(self) -> str:
        """Make ready what the first completion needs; say what is missing, or ""."""
        ...

    async def aclose(self) -> None:
        """Close connections and end child processes."""
        ...


class Flow:
    """Answers a user who types: from memory where it can, and asks no model in vain.

    Attributes:
        speculates: holes may be asked for ahead.
    """

    def __init__(
        self,
        asked: Asked,
        *,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        power: Power | None = None,
    ) -> None:
        """Stand before `asked`.

        Args:
            asked: asks the models.
            settings: the frozen settings tree.
            clock: seconds, for the rate of typing.
            sleep: waits so many seconds.
            power: knows whether the machine runs on battery; None: the real one.
        """
        self._asked = asked
        self._made = TypeThrough()
        self._debounce = Debounce(settings.typing.debounce_ms / 1000, clock)
        self._sleep = sleep
        self._alternatives = Alternatives(
            asked.draw,
            most=settings.limits.alternatives,
            seconds=settings.limits.alternatives_ms / 1000,
        )
        self.speculates = settings.typing.speculate
        self._power = power or Power()
        self._saves = settings.typing.on_battery == "ask_only"
        self._answered = False
        self._ahead = ReadAhead(
            asked.read,
            allowed=lambda: (
                settings.local.warm_up and self._answered and not self._power.on_battery
            ),
            sleep=sleep,
        )

    @property
    def breaker(self) -> State | None:
        """Whether the organisation's server is asked now; None where there is none."""
        return self._asked.breaker

    @property
    def follower(self) -> Followers:
        """Wants to know of every open document."""
        return self._asked.follower

    @property
    def paused(self) -> str:
        """One sentence while no completion comes by itself, to save the battery; else ""."""
        return ON_BATTERY if self._saves and self._power.on_battery else ""

    def typed(self) -> None:
        """A document was edited just now."""
        self._debounce.typed()
        self._ahead.give_way()

    def turned_to(self, hole: Hole, *, goes_on: bool) -> None:
        """The user has turned to a document; `goes_on`: likely to go on at this very hole."""
        self._asked.turned_to(hole)
        if goes_on:
            self._ahead.turned_to(hole)

    def shown(self, request_id: str) -> None:
        """The user was shown an answer of the organisation's server: the ledger is told."""
        self._asked.shown(request_id)

    async def complete(self, hole: Hole, on_text: Callable[[str], None]) -> Answer:
        """The completion for a hole; with further texts for it, where the user asks.

        What is asked ahead is only remembered. Cancelling it closes the model streams at once.

        Args:
            hole: where it goes.
            on_text: told the local model's text: "" when it is about to be asked, then as it grows.
        """
        known = self._made.find(hole, self._asked.model)
        if known is not None:
            return known
        if not hole.explicit:
            why = unwanted(hole) or self.paused
            if why:
                return unasked(why)
            wait = 0.0 if hole.ahead else self._debounce.wait()
            if wait:
                await self._sleep(wait)
        await self._ahead.ended()
        on_text("")
        answer = await self._asked.complete(hole, on_text)
        self._answered = self._answered or answer.provenance.tokens_generated > 0
        took = answer.provenance.timings_ms.get("local_first_token")
        if took is not None:
            self._debounce.answered(took / 1000)
        self._made.add(hole, self._asked.model, answer)
        if hole.explicit:
            answer = await self._alternatives.beside(hole, answer)
            self._made.add(hole, self._asked.model, answer)
        return answer

    async def warm(self) -> str:
        """Make ready what the first completion needs; say what is missing, or ""."""
        return await self._asked.warm()

    async def aclose(self) -> None:
        """Close connections and end child processes."""
        await self._ahead.ended()
        await self._asked.aclose()


def build(
    settings: Settings,
    *,
    on_notice: Callable[[str], None],
    on_made: Callable[[str, Provenance], None],
    on_waiting: Callable[[int], None],
    parsers: Parsers | None = None,
) -> Flow:
    """The flow before the real models.

    Args:
        settings: the frozen settings tree.
        on_notice: told one sentence for the user.
        on_made: told the language and the provenance of each answer of the models.
        on_waiting: told how many more requests wait for the organisation's server: 1, then -1.
        parsers: as of `Completer`.
    """
    completer = Completer(
        settings,
        on_notice=on_notice,
        on_made=on_made,
        on_waiting=on_waiting,
        parsers=parsers,
    )
    return Flow(completer, settings=settings)
