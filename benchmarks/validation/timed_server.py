"""The real server, its event loop watched: what each callback takes goes to stderr at its end.

One line a callback that took more than a tenth of a millisecond: when it began (seconds of the
machine's monotonic clock), and its processor time in milliseconds.
"""

import asyncio
import sys
import time
from collections.abc import Callable

from synconfroute.server.command.main import run

_taken: list[tuple[float, float]] = []


def _timed(work: Callable[[asyncio.Handle], None]) -> Callable[[asyncio.Handle], None]:
    def measured(handle: asyncio.Handle) -> None:
        began, spent = time.monotonic(), time.thread_time()
        work(handle)
        if (took := (time.thread_time() - spent) * 1000) > 0.1:
            _taken.append((began, took))

    return measured


if __name__ == "__main__":
    asyncio.Handle._run = _timed(asyncio.Handle._run)  # type: ignore[assignment,method-assign]
    try:
        run()
    finally:
        for began, took in _taken:
            print(f"{began:.6f} {took:.3f}", file=sys.stderr)
