"""A thread beside the reader's process: one question at a time, each in its time."""

import logging
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.question import Question
from synconfroute.validators.child import ChildFailed, command
from synconfroute.validators.memory import LIMIT_BYTES
from synconfroute.validators.parser_process import ParserProcess
from synconfroute.validators.wire import Garbled

_log = logging.getLogger(__name__)

ANSWER_S = 2.0
"""The longest that one answer may take, in seconds; then the process is ended."""

_MOST_UNSEEN = 50
"""After so many answers the process is replaced if it has grown."""

_Job = tuple[Question | None, Future[list[Piece]]]


class Reading:
    """Carries questions to the process. It is started with the first, or by `warm`."""

    def __init__(self, *, memory_limit: int = LIMIT_BYTES, seconds: float = ANSWER_S) -> None:
        """Start nothing yet.

        Args:
            memory_limit: bytes that the process may take.
            seconds: the longest that one answer may take.
        """
        arguments = command(memory_limit, "synconfroute.server.completion.context.reader")
        self._process = ParserProcess(memory_limit=memory_limit, arguments=arguments)
        self._seconds = seconds
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the reader, or None where none runs."""
        return self._process.pid

    def warm(self) -> None:
        """Have the process started. Returns at once."""
        self._put(None)

    def ask(self, question: Question) -> "Future[list[Piece]]":
        """What may help, the best first; ChildFailed where the process failed or took too long."""
        return self._put(question)

    def close(self) -> None:
        """End the process and the thread. What was asked and not answered fails."""
        self._closed = True
        self._process.kill()
        self._jobs.put(None)
        if self._thread is not None:
            self._thread.join()

    def _put(self, question: Question | None) -> "Future[list[Piece]]":
        future: Future[list[Piece]] = Future()
        if self._closed:
            future.set_exception(ChildFailed("closed"))
            return future
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._serve, name="synconfroute-context", daemon=True
            )
            self._thread.start()
        self._jobs.put((question, future))
        return future

    def _serve(self) -> None:
        """Serve until told to stop: the thread's whole life."""
        unseen = 0
        while (job := self._jobs.get()) is not None:
            question, future = job
            try:
                future.set_result(self._answer(question))
            except (ChildFailed, Garbled) as error:
                _log.info("no answer from the reader of other files: %s", error)
                self._process.close()
                future.set_exception(error)
            unseen += 1
            if unseen >= _MOST_UNSEEN and not self._closed:
                self._process.refresh()
                unseen = 0
        self._process.close()

    def _answer(self, question: Question | None) -> list[Piece]:
        if self._closed:
            raise ChildFailed("closed")
        self._process.start()
        if question is None:
            return []
        timer = threading.Timer(self._seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            reply = self._process.ask("candidates", self._seconds, **question.as_json())
        finally:
            timer.cancel()
        return _pieces(reply.get("pieces"))


def _pieces(found: Any) -> list[Piece]:
    """The pieces of a reply.

    Raises:
        Garbled: it holds none.
    """
    if not isinstance(found, Sequence):
        raise Garbled
    try:
        return [Piece.of_json(each) for each in found]
    except (KeyError, TypeError, ValueError):
        raise Garbled from None
