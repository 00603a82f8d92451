"""The parser process: reads requests from stdin, writes replies to stdout, ends with its parent.

Started by `child`, never by hand. Grammars may eat gigabytes of memory and hold the interpreter
for seconds on a few kilobytes of hostile text; here that hurts nobody.

Requests, by their method: `warm` loads the parsers, `validate` judges a text in a buffer that
comes along, `hold` brings a buffer up to date that stays here, `judge` judges a text in such a one.
"""

import gc
import os
import signal
import sys
from typing import Any, BinaryIO

from synconfroute.validators.held_buffers import HeldBuffers
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import WARMED
from synconfroute.validators.memory import limit_own_memory
from synconfroute.validators.rule import judge
from synconfroute.validators.watchdog import Watchdog
from synconfroute.validators.wire import receive, send, verdict_fields

_MOST_OBJECTS = 50_000
"""Containers made and not freed since garbage was last collected."""


def main(memory_limit: int) -> None:
    """Serve until stdin ends.

    Args:
        memory_limit: bytes that this process may take.
    """
    # The terminal's Ctrl-C reaches the whole process group; the parent decides when we end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # somebody waits for a verdict; see `_tidy`
    replies = _own_stdout()
    limit_own_memory(memory_limit)
    buffers, watchdog = HeldBuffers(), Watchdog()
    while (request := receive(sys.stdin.buffer)) is not None:
        watchdog.arm(request["seconds"] + 1)
        send(replies, {"id": request["id"], **_answer(request, buffers)})
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


def _answer(request: dict[str, Any], buffers: HeldBuffers) -> dict[str, Any]:
    match request["method"]:
        case "hold":
            buffers.hold(request)
        case "judge":
            return verdict_fields(buffers.judge(request))
        case "validate":
            insertion = Insertion.of(
                request["prefix"], request["text"], request["suffix"], request["before"]
            )
            return verdict_fields(judge(request["language"], insertion))
        case _:
            for language in WARMED:
                judge(language, Insertion("", "", ""))
            gc.freeze()  # modules and grammars stay: no collection need look at them
    return {}
