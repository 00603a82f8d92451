"""Verdicts from the parser process, for any number of threads and event loops."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from synconfroute.validators.admission import oversize
from synconfroute.validators.courier import LOST, Courier, Job
from synconfroute.validators.languages import no_parser
from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Mirror, Source, Spot
from synconfroute.validators.parser_process import START_S, ParserProcess
from synconfroute.validators.verdict import Verdict, unknown

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Event

LATE = "the parser did not finish in time"
_CLOSED = "the parser is closed"

_GRACE_S = 0.05
"""A request that nobody waits for may finish within this, in seconds; most do, and a new process
would cost more."""


class Validator:
    """The one parser process of this process.

    Requests are served in the order in which they come. One that is past its deadline or
    cancelled is taken out; if the parser is at it, the parser is killed and a new one started.

    Buffers may be opened and edited here: then they are parsed beside the typing, and `judge`
    costs neither this process nor the parser what the buffer holds. `open`, `edit`, `close`,
    `prepare` and `judge` belong to one thread: the one in which the sources change.
    """

    def __init__(self, process: ParserProcess | None = None) -> None:
        """Start nothing yet: the first request does, or `warm`.

        Args:
            process: the parser process, where it is not the usual one.
        """
        self._process = process or ParserProcess()
        self._mirror = Mirror()
        self._courier = Courier(self._process, self._mirror)

    @property
    def pid(self) -> int | None:
        """The process id of the parser, or None where none runs."""
        return self._process.pid

    def warm(self) -> None:
        """Start the parser and load its grammars, in the background. Returns at once."""
        self._courier.warm()

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
        job = _question(language, prefix, text, suffix, before, deadline)
        return job if isinstance(job, Verdict) else await self._answer(job)

    def validate_blocking(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        deadline: float,
        before: str | None = None,
    ) -> Verdict:
        """The same for callers without an event loop. The very first start is not counted.

        Args:
            language: LSP language id.
            prefix: the buffer before the hole.
            text: the text to insert.
            suffix: the buffer after the hole.
            deadline: seconds from now; past it the verdict is unknown.
            before: as in `validate`.
        """
        if not self._courier.tried.is_set() and self._courier.warm():
            self._courier.tried.wait(START_S)
        job = _question(language, prefix, text, suffix, before, deadline)
        if isinstance(job, Verdict):
            return job
        if not self._courier.put(job):
            return unknown(_CLOSED)
        try:
            return job.future.result(deadline)
        except TimeoutError:
            return unknown(LATE)
        finally:
            self._courier.give_up(job)

    def open(self, key: str, language: str, source: Source) -> None:
        """Follow a buffer from here on. One of the same key is replaced.

        Args:
            key: names the buffer.
            language: LSP language id; where it has no parser, the buffer is not followed.
            source: asked for the whole text now, and again when a parser process was lost.
        """
        if no_parser(language) is None:
            self._mirror.open(key, language, source)
            self._courier.look()

    def edit(self, key: str, splice: Splice) -> None:
        """Take note of an edit that the source has made. Costs what the edit touches.

        Nobody is woken for it: a question follows most edits at once, and wakes the courier.
        """
        self._mirror.edit(key, splice)

    def forget(self, key: str) -> None:
        """Follow a buffer no more."""
        self._mirror.close(key)

    def prepare(self, spot: Spot) -> None:
        """Have a buffer parsed, since a text will be judged at this spot. Returns at once."""
        if self._mirror.recover(spot.key, self._process.generation):
            self._courier.prepare(spot)

    async def judge(self, spot: Spot, text: str, *, deadline: float) -> Verdict | None:
        """Say what inserting the text at a spot does to an open buffer.

        None: the buffer is not followed, has changed since the spot was chosen, or no parser can
        be had that knows it: only the whole text can tell.

        Args:
            spot: where.
            text: what.
            deadline: seconds from now; past it the verdict is unknown.
        """
        if not self._mirror.known(spot):
            return None
        if (reason := self._mirror.obstacle(spot.key)) is not None:
            return unknown(reason)
        if not self._mirror.recover(spot.key, self._process.generation):
            return None
        question = self._mirror.question(spot, text)
        verdict = await self._answer(Job("judge", deadline, question, spot))
        return None if verdict is LOST else verdict

    def close(self) -> None:
        """End the parser. Requests under way and later ones get unknown verdicts."""
        self._courier.close()

    async def _answer(self, job: Job) -> Verdict:
        import asyncio  # here, since the parser process imports this package and has no use for it

        loop = asyncio.get_running_loop()
        woken = asyncio.Event()
        job.future.add_done_callback(lambda _: _wake(loop, woken))
        # All that is to be done here is done before: the courier's thread has to wait for it.
        late = loop.call_later(job.seconds, woken.set)
        try:
            if not self._courier.put(job):
                return unknown(_CLOSED)
            await woken.wait()
        except asyncio.CancelledError:
            loop.call_later(_GRACE_S, self._courier.give_up, job)
            raise
        finally:
            late.cancel()
        if job.future.done():
            return job.future.result()
        self._courier.give_up(job)
        return unknown(LATE)


def _wake(loop: "AbstractEventLoop", woken: "Event") -> None:
    """Have an event set in its loop, from any thread."""
    with suppress(RuntimeError):  # the loop may be closed by now
        loop.call_soon_threadsafe(woken.set)


def _question(
    language: str, prefix: str, text: str, suffix: str, before: str | None, seconds: float
) -> Job | Verdict:
    reason = no_parser(language) or oversize(prefix, text, suffix)
    if reason is not None:
        return unknown(reason)
    if before is not None and oversize(before) is not None:
        before = None
    fields: dict[str, Any] = {"language": language, "prefix": prefix, "text": text}
    return Job("validate", seconds, {**fields, "suffix": suffix, "before": before})
