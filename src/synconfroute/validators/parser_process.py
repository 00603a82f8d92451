"""The parser process over its life: started ahead of need, replaced when it fails or grows."""

import logging
import sys
import time
from contextlib import nullcontext
from typing import Any

from synconfroute.validators.child import Child, ChildFailed, command
from synconfroute.validators.memory import LIMIT_BYTES
from synconfroute.validators.memory_watch import MemoryWatch
from synconfroute.validators.time_limit import TimeLimit

_log = logging.getLogger(__name__)

START_S = 10.0
"""The longest that a start may take, in seconds."""

_KEEP_BYTES = 192 << 20
"""A child that holds more than this after a request is replaced: what a hostile buffer once took
from the system would stay taken. Open buffers, as many as `Mirror` lets it hold, take less."""

_PAUSE_S = 1.0
"""After a start that failed, none is tried for so long, in seconds."""


class ParserProcess:
    """One child at a time. All methods but `kill` belong to one thread."""

    def __init__(
        self,
        *,
        memory_limit: int = LIMIT_BYTES,
        arguments: list[str] | None = None,
        watch_memory: bool = sys.platform == "darwin",
    ) -> None:
        """Describe it; nothing starts yet.

        Args:
            memory_limit: bytes that the child may take.
            arguments: the command that starts a child, instead of our own.
            watch_memory: hold the limit from outside, as macOS needs.
        """
        self._limit = memory_limit
        self._arguments = arguments
        self._watch = MemoryWatch(memory_limit) if watch_memory else None
        self._time_limit = TimeLimit()
        self._child: Child | None = None
        self._not_before = 0.0
        self._generation = 0

    @property
    def generation(self) -> int:
        """How many children there have been: what an earlier one held is lost."""
        return self._generation

    @property
    def pid(self) -> int | None:
        """The process id of the child, or None where none runs."""
        child = self._child
        return child.pid if child is not None and child.running else None

    def start(self) -> None:
        """Have a child that has loaded its grammars. At once where there is one.

        Raises:
            ChildFailed: none starts, or the last start failed a moment ago.
        """
        if self._child is not None and self._child.running:
            return
        self.close()
        if time.monotonic() < self._not_before:
            raise ChildFailed("the last start failed a moment ago")
        self._not_before = time.monotonic() + _PAUSE_S
        self._generation += 1
        self._child = Child(self._arguments or command(self._limit))
        with self._time_limit.over(START_S, self._child.kill):
            self._child.ask("warm", START_S)
        self._not_before = 0.0

    def tell(self, method: str, seconds: float, **fields: Any) -> None:
        """Have the started child do what nobody waits for, in so many seconds at most.

        Raises:
            ChildFailed: there is none, it failed, or it took longer and was ended.
        """
        if self._child is None:
            raise ChildFailed("not started")
        with self._time_limit.over(seconds, self._child.kill):
            self.ask(method, seconds, **fields)

    def ask(self, method: str, seconds: float, **fields: Any) -> dict[str, Any]:
        """Ask the started child something; see `Child.ask`.

        Raises:
            ChildFailed: there is none, it failed, or `kill` ended it.
        """
        child = self._child
        if child is None:
            raise ChildFailed("not started")
        with nullcontext() if self._watch is None else self._watch.over(child):
            return child.ask(method, seconds, **fields)

    def refresh(self) -> None:
        """Replace the child if it has ended or grown, so that the next request need not."""
        child = self._child
        if child is not None and 0 < child.resident_bytes() <= _KEEP_BYTES and child.running:
            return
        self.close()
        try:
            self.start()
        except ChildFailed as error:
            _log.warning("the parser process does not start again: %s", error)

    def kill(self) -> None:
        """End the child at once, whatever it does; `ask` fails. Any thread may call this."""
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child and free what it held."""
        if self._watch is not None:
            self._watch.close()
        self._time_limit.close()
        child, self._child = self._child, None
        if child is not None:
            child.close()
