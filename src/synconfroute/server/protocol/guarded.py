"""A completer that is asked only where completions are switched on, and closed when it is idle."""

import asyncio
from collections.abc import Callable

from synconfroute.server.completion.answer import Answer, unasked
from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.completer import Completer
from synconfroute.server.protocol.documents import Follower
from synconfroute.server.protocol.switch import Switch


class Guarded:
    """Stands before a completer. Whatever asks goes through here: nothing else is a gate."""

    def __init__(self, inner: Completer, switch: Switch) -> None:
        """Must be made inside the event loop."""
        self._inner = inner
        self._switch = switch
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def breaker(self) -> State | None:
        """Whether the organisation's server is asked now; None where there is none."""
        return self._inner.breaker

    @property
    def follower(self) -> Follower:
        """Wants to know of every open document."""
        return self._inner.follower

    @property
    def speculates(self) -> bool:
        """Completions may be asked for before the editor asks."""
        return self._inner.speculates and self._switch.allows()

    @property
    def paused(self) -> str:
        """One sentence while no completion comes by itself; else ""."""
        return self._inner.paused

    def turned_to(self, hole: Hole, *, goes_on: bool) -> None:
        """The user has turned to a document; nothing is made ready where they are switched off."""
        if self._switch.allows(hole.uri):
            self._inner.turned_to(hole, goes_on=goes_on)

    def typed(self) -> None:
        """A document was edited just now."""
        self._inner.typed()

    def shown(self, request_id: str) -> None:
        """The user was shown an answer of the organisation's server: the ledger is told."""
        self._inner.shown(request_id)

    async def complete(self, hole: Hole, on_text: Callable[[str], None]) -> Answer:
        """One completion, or none where they are switched off; see `Completer.complete`."""
        why_not = self._switch.why_not(hole.uri, explicit=hole.explicit)
        if why_not:
            return unasked(why_not)
        self._running += 1
        self._idle.clear()
        try:
            return await self._inner.complete(hole, on_text)
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def warm(self) -> str:
        """Make ready what the first completion needs; say what is missing, or ""."""
        return await self._inner.warm()

    async def aclose(self) -> None:
        """Wait until nothing runs in it, then close it."""
        await self._idle.wait()
        await self._inner.aclose()
