"""Who may generate: per document one request at a time, and the newest wins."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


@dataclass(eq=False)
class _Lane:
    """One document's requests."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    newest: "Turn | None" = None
    running: asyncio.Task[Any] | None = None

    def give_to(self, turn: "Turn | None") -> None:
        self.newest = turn
        self.stop()

    def stop(self) -> None:
        # Only once: a second cancellation would break into the closing of the stream.
        if self.running is not None and not self.running.cancelling():
            self.running.cancel()


@dataclass(frozen=True, eq=False)
class Turn:
    """A request's claim to be answered."""

    lane: _Lane

    def is_current(self) -> bool:
        """No newer request, edit or close of the document has come."""
        return self.lane.newest is self


class Turns:
    """The lanes of all documents that requests run for."""

    def __init__(self) -> None:
        self._lanes: WeakValueDictionary[str, _Lane] = WeakValueDictionary()

    def __len__(self) -> int:
        """How many documents have a request that waits or runs."""
        return len(self._lanes)

    def enter(self, document: str) -> Turn:
        """Take the turn from the document's older requests; what they generate is cancelled."""
        lane = self._lanes.setdefault(document, _Lane())
        turn = Turn(lane)
        lane.give_to(turn)
        return turn

    def drop(self, document: str) -> None:
        """The document has changed or is closed: no request so far may be answered."""
        lane = self._lanes.get(document)
        if lane is not None:
            lane.give_to(None)

    async def run(self, turn: Turn, work: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """Do the work once the older requests' work has ended; None if the turn is lost.

        Raises:
            asyncio.CancelledError: the caller itself was cancelled; the work has ended.
        """
        lane = turn.lane
        async with lane.lock:
            if not turn.is_current():
                return None
            lane.running = task = asyncio.ensure_future(work())
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                lane.stop()
                await asyncio.wait({task})
                raise
            finally:
                lane.running = None
            if not turn.is_current() or task.cancelled():
                return None
            return task.result()
