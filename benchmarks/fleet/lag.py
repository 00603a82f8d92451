"""How late an event loop is: what else it does at the time when something is due."""

import asyncio
from collections.abc import Callable

_EVERY_S = 0.05


async def watch_lag(tell: Callable[[float], object]) -> None:
    """Tell, again and again, by how many seconds a sleep was too long. Ends when it is cancelled.

    What the system's timer adds is told, too.
    """
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _EVERY_S
        await asyncio.sleep(_EVERY_S)
        tell(max(0.0, loop.time() - due))
