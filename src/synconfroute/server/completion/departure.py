"""What a request needs before it may leave, made ready while the local model still writes.

A local answer that begins doubtfully is likely to be doubted at its third token. The rules ask the
disk, and the prompt is looked through for secrets: done one token earlier, nobody waits for it.
Nothing is sent, and nothing decided: the decision is the one that would be made then.
"""

import asyncio
from collections.abc import Awaitable, Callable

from synconfroute.server.completion.policy import Allowed, Refused


class Departure:
    """One request's."""

    def __init__(
        self,
        decide: Callable[[], Awaitable[Allowed | Refused]],
        make_ready: Callable[[], Awaitable[None]],
    ) -> None:
        """Begin.

        Args:
            decide: whether policy lets the buffer leave.
            make_ready: does what else can be done ahead, where it does.
        """
        self._deciding = asyncio.ensure_future(decide())
        self._readying = asyncio.ensure_future(self._ready(make_ready))

    async def decision(self) -> Allowed | Refused:
        """Whether policy lets the buffer leave; what else is made ready goes on."""
        return await asyncio.shield(self._deciding)

    async def aclose(self) -> None:
        """End what still runs."""
        for task in (self._readying, self._deciding):
            task.cancel()
        await asyncio.wait({self._readying, self._deciding})

    async def _ready(self, make_ready: Callable[[], Awaitable[None]]) -> None:
        if isinstance(await asyncio.shield(self._deciding), Allowed):
            await make_ready()
