"""The local model reads the code around a place before anybody asks for a completion there.

A server keeps what it has computed of its last prompt, so that of the next one only what differs is
computed. Reading takes most of the time to a first token, and while nobody types there is time.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from synconfroute.errors import SynConfRouteError
from synconfroute.server.completion.hole import Hole

QUIET_S = 0.5
"""So long after the user turned to a document the model begins to read, in seconds: whoever turns
to the next one meanwhile wants nothing of it."""


class ReadAhead:
    """At most one reading, which ends as soon as anything else is to be done."""

    def __init__(
        self,
        read: Callable[[Hole], Awaitable[None]],
        *,
        allowed: Callable[[], bool],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """Read nothing yet.

        Args:
            read: has the model read the prompt for a hole.
            allowed: may it, now?
            sleep: waits so many seconds.
        """
        self._read = read
        self._allowed = allowed
        self._sleep = sleep
        self._reading: asyncio.Task[None] | None = None

    def turned_to(self, hole: Hole) -> None:
        """The user has turned to a document, and is likely to go on at this place."""
        self.give_way()
        if self._allowed():
            self._reading = asyncio.ensure_future(self._after_a_moment(hole, self._reading))

    def give_way(self) -> None:
        """Something is done in a document: what is read is of no use any more."""
        if self._reading is not None and not self._reading.cancelling():
            self._reading.cancel()

    async def ended(self) -> None:
        """Give way, and wait until the stream is closed."""
        self.give_way()
        if self._reading is not None:
            await asyncio.wait({self._reading})
            self._reading = None

    async def _after_a_moment(self, hole: Hole, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait({before})
        await self._sleep(QUIET_S)
        with contextlib.suppress(SynConfRouteError, TimeoutError):  # a completion will tell
            await self._read(hole)
