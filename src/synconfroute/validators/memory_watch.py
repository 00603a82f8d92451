"""Holding the parser process to its memory from outside, where the platform does not."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from synconfroute.validators.child import Child

_PERIOD_S = 0.02


@contextmanager
def watched(child: Child, limit: int) -> Iterator[None]:
    """Kill the process if it holds more than `limit` bytes while the block runs."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_PERIOD_S):
            if child.resident_bytes() > limit:
                child.kill()
                return

    thread = threading.Thread(target=watch, name="synconfroute-parser-memory", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
