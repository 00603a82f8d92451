"""Carries questions to the parser process, one at a time, each within its time."""

import logging
import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from synconfroute.validators.child import ChildFailed
from synconfroute.validators.mirror import Mirror, Spot
from synconfroute.validators.parser_process import ParserProcess
from synconfroute.validators.verdict import Verdict, unknown
from synconfroute.validators.wire import Garbled, verdict_of

_log = logging.getLogger(__name__)

_IDLE_S = 0.5
_MOST_UNSEEN = 50
"""The process is looked after when nothing was asked for so long, in seconds, or after so many
answers: looking takes longer than many a verdict."""

LOST = unknown("the buffer has changed or its parser was ended")

UPDATE_S = 3.0
"""The longest that parsing an open buffer after an edit may take, in seconds, and judging nothing
in it. Nobody waits for it but judgements of that buffer, and those within their own deadlines."""


@dataclass(slots=True, eq=False)
class Job:
    """One question: its method and fields, its time in seconds, and where its verdict goes.

    Attributes:
        spot: in the open buffer that it is about; the process is brought up to date with it first.
    """

    method: str
    seconds: float
    fields: dict[str, Any] = field(default_factory=dict)
    spot: Spot | None = None
    future: Future[Verdict] = field(default_factory=Future)
    abandoned: bool = False


class _Signal(Enum):
    WARM = auto()
    LOOK = auto()
    STOP = auto()


_Item = Job | Spot | _Signal


class Courier:
    """A thread beside the parser process. Jobs are done in the order in which they come.

    While there are none, open buffers that have come to rest are parsed.
    """

    def __init__(self, process: ParserProcess, mirror: Mirror) -> None:
        """Start nothing yet: the first job does, or `warm`."""
        self._process = process
        self._mirror = mirror
        self._jobs: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._current: Job | None = None
        self._closed = False
        self._unseen = 0
        self.tried = threading.Event()

    def warm(self) -> bool:
        """Have the process started. False: closed."""
        return self._put(_Signal.WARM)

    def put(self, job: Job) -> bool:
        """Have a question carried. False: closed."""
        return self._put(job)

    def prepare(self, spot: Spot) -> bool:
        """Have the process ready for a question about a spot in an open buffer. False: closed."""
        return self._put(spot)

    def look(self) -> bool:
        """Have open buffers parsed when they are due. False: closed."""
        return self._put(_Signal.LOOK)

    def give_up(self, job: Job) -> None:
        """Nobody waits for this job any more. If the parser is at it, the parser is killed."""
        job.future.cancel()
        with self._lock:
            job.abandoned = True
            if self._current is job:
                self._process.kill()

    def close(self) -> None:
        """End the process and the thread. Jobs under way get unknown verdicts."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._process.kill()
        self._jobs.put(_Signal.STOP)
        if thread is not None:
            thread.join()

    def _put(self, item: _Item) -> bool:
        with self._lock:
            if self._closed:
                return False
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._serve, name="synconfroute-parser", daemon=True
                )
                self._thread.start()
            self._jobs.put(item)
            return True

    def _serve(self) -> None:
        """Serve jobs until told to stop: the thread's whole life."""
        while (item := self._next()) is not _Signal.STOP:
            if isinstance(item, str):
                self._bring(item)
            elif isinstance(item, Spot):
                self._rehearse(item)
            elif item is _Signal.WARM:
                self._look_after()
            elif isinstance(item, Job) and item.future.set_running_or_notify_cancel():
                item.future.set_result(self._verdict(item))
            self._unseen += 1
            if self._unseen > _MOST_UNSEEN:
                self._look_after()
            self.tried.set()
        self._process.close()
        self.tried.set()

    def _next(self) -> _Item | str:
        """What was put first, or the key of an open buffer that is due when there is nothing."""
        while True:
            key, seconds = self._mirror.due()
            if self._unseen:
                seconds = _IDLE_S if seconds is None else min(seconds, _IDLE_S)
            try:
                item = self._jobs.get(timeout=seconds)
            except queue.Empty:
                if key is not None:
                    return key
                self._look_after()
            else:
                if item is not _Signal.LOOK:
                    return item

    def _look_after(self) -> None:
        """Start the process, or replace one that has ended or grown."""
        self._unseen = 0
        if not self._closed:
            self._process.refresh()

    def _verdict(self, job: Job) -> Verdict:
        spot = job.spot
        if spot is not None and not (self._bring(spot.key) and self._mirror.known(spot)):
            return LOST
        try:
            if spot is None:  # else `_bring` has started it
                self._process.start()
            with self._lock:
                if self._closed or job.abandoned:
                    return unknown("nobody waits for the verdict")
                self._current = job
            try:
                verdict = verdict_of(self._process.ask(job.method, job.seconds, **job.fields))
            finally:
                with self._lock:
                    self._current = None
        except (ChildFailed, Garbled) as error:
            self._fell(error, spot.key if spot else None)
            return unknown("the parser process ended before it had a verdict")
        if spot is not None:
            self._mirror.judged(spot.key)
        return verdict

    def _bring(self, key: str) -> bool:
        """Bring the process up to date with an open buffer; False: it cannot be."""
        try:
            self._process.start()
            message = self._mirror.take(key, self._process.generation)
            if message:
                self._process.tell("hold", UPDATE_S, **message)
        except ChildFailed as error:
            self._fell(error, key)
            return False
        return message is not None

    def _rehearse(self, spot: Spot) -> None:
        """Judge nothing at a spot: the question that follows finds at hand what it needs."""
        if not (self._bring(spot.key) and self._mirror.known(spot)):
            return
        try:
            self._process.tell("judge", UPDATE_S, **self._mirror.question(spot, ""))
        except ChildFailed as error:
            self._fell(error, spot.key)

    def _fell(self, error: Exception, key: str | None) -> None:
        """The process has failed, at the open buffer `key` if at any."""
        _log.info("no answer from the parser process: %s", error)
        self._process.close()
        self._unseen = _MOST_UNSEEN  # have another one started at once
        if key is not None:
            self._mirror.failed(key)
