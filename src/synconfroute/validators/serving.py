"""What a child process of ours does: it answers requests on stdin, and ends with its parent."""

import gc
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from synconfroute.validators.memory import limit_own_memory
from synconfroute.validators.watchdog import Watchdog
from synconfroute.validators.wire import receive, send

_MOST_OBJECTS = 50_000
"""Containers made and not freed since garbage was last collected."""


def serve(memory_limit: int, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Serve until stdin ends.

    Args:
        memory_limit: bytes that this process may take.
        answer: makes the fields of the reply to a request.
    """
    # The terminal's Ctrl-C reaches the whole process group; the parent decides when we end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # somebody waits for the reply; see `_tidy`
    replies = _own_stdout()
    limit_own_memory(memory_limit)
    watchdog = Watchdog()
    while (request := receive(sys.stdin.buffer)) is not None:
        watchdog.arm(request["seconds"] + 1)
        send(replies, {"id": request["id"], **answer(request)})
        _tidy()
        watchdog.disarm()


def _tidy() -> None:
    """Collect garbage if there may be much of it. Nobody waits now."""
    if gc.get_count()[0] > _MOST_OBJECTS:
        gc.collect()


def _own_stdout() -> BinaryIO:
    """The pipe to the parent, out of reach of whatever prints."""
    private = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return private
