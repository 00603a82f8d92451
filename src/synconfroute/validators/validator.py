"""Verdicts from the parser process, one at a time, each within its deadline."""

import logging
import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum, auto

from synconfroute.validators.admission import oversize
from synconfroute.validators.child import ChildFailed
from synconfroute.validators.languages import no_parser
from synconfroute.validators.parser_process import START_S, ParserProcess
from synconfroute.validators.rule import LATE
from synconfroute.validators.verdict import Verdict, unknown
from synconfroute.validators.wire import Garbled, verdict_of

_log = logging.getLogger(__name__)

_GRACE_S = 0.05
"""A request that nobody waits for may finish within this, in seconds; most do, and a new process
would cost more."""


class _Signal(Enum):
    WARM = auto()
    STOP = auto()


@dataclass(slots=True, eq=False)
class _Job:
    """One request: its fields, its time in seconds, and where its verdict goes."""

    fields: dict[str, str]
    seconds: float
    future: Future[Verdict] = field(default_factory=Future)
    abandoned: bool = False


class Validator:
    """The one parser process of this process, for any number of threads and event loops.

    Requests are served in the order in which they come. One that is past its deadline or
    cancelled is taken out; if the parser is at it, the parser is killed and a new one started.
    """

    def __init__(self, process: ParserProcess | None = None) -> None:
        """Start nothing yet: the first request does, or `warm`.

        Args:
            process: the parser process, where it is not the usual one.
        """
        self._process = process or ParserProcess()
        self._jobs: queue.SimpleQueue[_Job | _Signal] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._current: _Job | None = None
        self._closed = False
        self._tried = threading.Event()

    @property
    def pid(self) -> int | None:
        """The process id of the parser, or None where none runs."""
        return self._process.pid

    def warm(self) -> None:
        """Start the parser and load its grammars, in the background. Returns at once."""
        self._put(_Signal.WARM)

    async def validate(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        deadline: float,
        path: str | None = None,
        before: str | None = None,
    ) -> Verdict:
        """Say what inserting the text does to the buffer; see `synconfroute.validators.validate`.

        Args:
            language: LSP language id.
            prefix: the buffer before the hole.
            text: the text to insert.
            suffix: the buffer after the hole.
            deadline: seconds from now; past it the verdict is unknown.
            path: as in `validate`.
            before: as in `validate`.
        """
        import asyncio  # here, since the parser process imports this package and has no use for it

        job = self._submit(language, prefix, text, suffix, deadline)
        if isinstance(job, Verdict):
            return job
        try:
            async with asyncio.timeout(deadline):
                return await asyncio.wrap_future(job.future)
        except TimeoutError:
            self._give_up(job)
            return unknown(LATE)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(_GRACE_S, self._give_up, job)
            raise

    def validate_blocking(
        self, language: str, prefix: str, text: str, suffix: str, *, deadline: float
    ) -> Verdict:
        """The same for callers without an event loop. The very first start is not counted.

        Args:
            language: LSP language id.
            prefix: the buffer before the hole.
            text: the text to insert.
            suffix: the buffer after the hole.
            deadline: seconds from now; past it the verdict is unknown.
        """
        if not self._tried.is_set() and self._put(_Signal.WARM):
            self._tried.wait(START_S)
        job = self._submit(language, prefix, text, suffix, deadline)
        if isinstance(job, Verdict):
            return job
        try:
            return job.future.result(deadline)
        except TimeoutError:
            return unknown(LATE)
        finally:
            self._give_up(job)

    def close(self) -> None:
        """End the parser. Requests under way and later ones get unknown verdicts."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._process.kill()
        self._jobs.put(_Signal.STOP)
        if thread is not None:
            thread.join()

    def _submit(
        self, language: str, prefix: str, text: str, suffix: str, seconds: float
    ) -> _Job | Verdict:
        reason = no_parser(language) or oversize(prefix, text, suffix)
        if reason is not None:
            return unknown(reason)
        fields = {"language": language, "prefix": prefix, "text": text, "suffix": suffix}
        job = _Job(fields, seconds)
        if not self._put(job):
            return unknown("the parser is closed")
        return job

    def _put(self, item: _Job | _Signal) -> bool:
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

    def _give_up(self, job: _Job) -> None:
        """Nobody waits for this job any more."""
        job.future.cancel()
        with self._lock:
            job.abandoned = True
            if self._current is job:
                self._process.kill()

    def _serve(self) -> None:
        """Serve jobs until told to stop: the thread's whole life."""
        while (item := self._jobs.get()) is not _Signal.STOP:
            if isinstance(item, _Job) and item.future.set_running_or_notify_cancel():
                item.future.set_result(self._verdict(item))
            if not self._closed:
                self._process.refresh()
            self._tried.set()
        self._process.close()
        self._tried.set()

    def _verdict(self, job: _Job) -> Verdict:
        try:
            self._process.start()
            with self._lock:
                if self._closed or job.abandoned:
                    return unknown("nobody waits for the verdict")
                self._current = job
            try:
                return verdict_of(self._process.ask(job.seconds, **job.fields))
            finally:
                with self._lock:
                    self._current = None
        except (ChildFailed, Garbled) as error:
            _log.info("no verdict from the parser process: %s", error)
            self._process.close()
            return unknown("the parser process ended before it had a verdict")
