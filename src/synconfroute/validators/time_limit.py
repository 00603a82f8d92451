"""Ends what hangs, from one thread: a timer for each question would be a new thread for each."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class TimeLimit:
    """Limits one block at a time. The thread starts with the first and stays until it is closed.

    While blocks end in time it is not woken for each, only once in so long as a block may take.
    """

    def __init__(self) -> None:
        """Limit nothing yet."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._end: Callable[[], None] | None = None
        self._due = self._wakes = math.inf

    @contextmanager
    def over(self, seconds: float, end: Callable[[], None]) -> Iterator[None]:
        """Call `end`, on another thread, if the block takes longer than so many seconds."""
        with self._changed:
            self._due, self._end = time.monotonic() + seconds, end
            if self._thread is None:
                self._closed = False
                self._thread = threading.Thread(
                    target=self._watch, name="synconfroute-parser-time", daemon=True
                )
                self._thread.start()
            elif self._due < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due, self._end = math.inf, None

    def close(self) -> None:
        """End the thread. A later block starts another."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                if self._due <= time.monotonic() and self._end is not None:
                    self._end()
                    self._due, self._end = math.inf, None
                self._wakes = self._due
                self._changed.wait(None if self._due == math.inf else self._due - time.monotonic())
