"""Holding the parser process to its memory from outside, where the platform does not."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from synconfroute.validators.child import Child

_PERIOD_S = 0.02


class MemoryWatch:
    """A thread that looks at the process while it is asked something; it starts with the first.

    All methods belong to one thread.
    """

    def __init__(self, limit: int) -> None:
        """Kill a process that holds more than `limit` bytes."""
        self._limit = limit
        self._child: Child | None = None
        self._wanted = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, child: Child) -> Iterator[None]:
        """Watch the process while the block runs."""
        if self._thread is None:
            self._closed.clear()
            self._thread = threading.Thread(
                target=self._watch, name="synconfroute-parser-memory", daemon=True
            )
            self._thread.start()
        self._child = child
        self._wanted.set()
        try:
            yield
        finally:
            self._child = None

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _watch(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._closed.is_set():
                return
            while (child := self._child) is not None and not self._closed.wait(_PERIOD_S):
                if child is self._child and child.resident_bytes() > self._limit:
                    child.kill()
