"""Who may generate: per document one request at a time, and the newest wins."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.logs import logger

T = TypeVar("T")

SPARED_S = 1.0
"""How long spared work runs on before a request must have joined it, in seconds."""


@dataclass(eq=False)
class _Lane:
    """One document's requests.

    Attributes:
        newest: the one request that may be answered.
        running: the one work that runs, or is closing.
        unclaimed: ends work that was spared and that no request joins.
    """

    newest: "Turn | None" = None
    running: asyncio.Task[Any] | None = None
    unclaimed: asyncio.TimerHandle | None = None

    def give_to(self, turn: "Turn | None", *, spare: bool) -> None:
        if self.newest is not None and not self.newest.lost.done():
            self.newest.lost.set_result(None)
        self.newest = turn
        if self.unclaimed is not None:
            self.unclaimed.cancel()
            self.unclaimed = None
        if not spare:
            self.stop()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        self.running = task = asyncio.ensure_future(work)
        task.add_done_callback(self._ended)
        return task

    def stop(self) -> None:
        # Only once: a second cancellation would break into the closing of the stream.
        if self.running is not None and not self.running.cancelling():
            self.running.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.running = None
        error = None if task.cancelled() else task.exception()
        if error is not None and self.newest is None:
            logger.error("Work that nobody waits for failed: %s", describe(error))


@dataclass(frozen=True, eq=False)
class Turn:
    """A request's claim to be answered.

    Attributes:
        lost: done when the claim has gone to another.
    """

    lane: _Lane
    lost: asyncio.Future[None]

    def is_current(self) -> bool:
        """No newer request, edit or close of the document has come."""
        return self.lane.newest is self


class Turns:
    """The lanes of all documents that requests run for."""

    def __init__(self, spared: float = SPARED_S) -> None:
        """`spared`: how long spared work waits for a request that joins it, in seconds."""
        self._spared = spared
        self._lanes: WeakValueDictionary[str, _Lane] = WeakValueDictionary()

    def __len__(self) -> int:
        """How many documents have a request that waits or runs."""
        return len(self._lanes)

    def enter(self, document: str, *, spare: bool = False) -> Turn:
        """Take the turn from the document's older requests.

        Args:
            document: its key.
            spare: what runs is left to run, for `join`; else it is cancelled.
        """
        lane = self._lanes.setdefault(document, _Lane())
        turn = Turn(lane, asyncio.get_running_loop().create_future())
        lane.give_to(turn, spare=spare)
        return turn

    def drop(self, document: str, *, spare: bool = False) -> None:
        """The document has changed or is closed: no request so far may be answered.

        Args:
            document: its key.
            spare: what runs may still be joined by a request that comes soon.
        """
        lane = self._lanes.get(document)
        if lane is None:
            return
        lane.give_to(None, spare=spare)
        if spare and lane.running is not None:
            loop = asyncio.get_running_loop()
            lane.unclaimed = loop.call_later(self._spared, lane.stop)

    def is_free(self, document: str) -> bool:
        """No request of the document waits for an answer, and nothing runs for it."""
        lane = self._lanes.get(document)
        return lane is None or (lane.newest is None and lane.running is None)

    def stop(self, document: str) -> None:
        """Cancel what runs for a document; its newest request may still be answered."""
        lane = self._lanes.get(document)
        if lane is not None:
            lane.stop()

    def give_up(self, turn: Turn) -> None:
        """The request was cancelled: cancel what runs for it, also before it joined that."""
        if turn.is_current():
            turn.lane.stop()

    async def run(self, turn: Turn, work: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """Do the work once the older requests' work has ended; None if the turn is lost.

        Raises:
            asyncio.CancelledError: the caller itself was cancelled; the work has ended.
        """
        lane = turn.lane
        while turn.is_current() and lane.running is not None:
            await asyncio.wait({lane.running})
        if not turn.is_current():
            return None
        return await _outcome(turn, lane.start(work()))

    async def join(self, turn: Turn) -> Any:
        """What the work comes to that `enter` spared; None if to nothing, or the turn is lost.

        Raises:
            asyncio.CancelledError: as of `run`.
        """
        running = turn.lane.running
        if running is None or not turn.is_current():
            return None
        return await _outcome(turn, running)


async def _outcome(turn: Turn, task: asyncio.Task[T]) -> T | None:
    """The task's result, if the turn is not lost before; who loses it leaves spared work alone."""
    either: set[asyncio.Future[Any]] = {task, turn.lost}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if task.cancelling():
            await asyncio.wait({task})
    except asyncio.CancelledError:
        if turn.is_current():
            turn.lane.stop()
        if task.cancelling():
            await asyncio.wait({task})
        raise
    if not turn.is_current() or task.cancelled():
        return None
    return task.result()
