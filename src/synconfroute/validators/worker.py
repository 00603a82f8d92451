"""The parser process: reads requests from stdin, writes verdicts to stdout, ends with its parent.

Started by `child`, never by hand. Grammars may eat gigabytes of memory and hold the interpreter
for seconds on a few kilobytes of hostile text; here that hurts nobody.
"""

import faulthandler
import os
import signal
import sys
import time
from typing import Any, BinaryIO

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import LANGUAGES
from synconfroute.validators.memory import limit_own_memory
from synconfroute.validators.rule import judge
from synconfroute.validators.verdict import Verdict, unknown
from synconfroute.validators.wire import receive, send, verdict_fields

_SHARE = 0.7
"""Of its time a request may begin another parse within so much; this spares most of the kills."""


def main(memory_limit: int) -> None:
    """Serve until stdin ends.

    Args:
        memory_limit: bytes that this process may take.
    """
    # The terminal's Ctrl-C reaches the whole process group; the parent decides when we end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = _own_stdout()
    limit_own_memory(memory_limit)
    with open(os.devnull, "wb") as nowhere:
        while (request := receive(sys.stdin.buffer)) is not None:
            # Should the parent be gone while a parser hangs, nobody else ends this process.
            faulthandler.dump_traceback_later(request["seconds"] + 1, exit=True, file=nowhere)
            reply = _answer(request)
            faulthandler.cancel_dump_traceback_later()
            send(replies, {"id": request["id"], **reply})


def _own_stdout() -> BinaryIO:
    """The pipe to the parent, out of reach of whatever prints."""
    private = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return private


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if request["method"] == "warm":
        for language in LANGUAGES:
            _judge(language, Insertion("", "", ""), request["seconds"])
        return {}
    insertion = Insertion.of(request["prefix"], request["text"], request["suffix"])
    return verdict_fields(_judge(request["language"], insertion, request["seconds"]))


def _judge(language: str, insertion: Insertion, seconds: float) -> Verdict:
    end = time.monotonic() + _SHARE * seconds
    try:
        return judge(language, insertion, in_time=lambda: time.monotonic() < end)
    except Exception as error:
        # A grammar that does not load or fails must not take the other languages with it.
        return unknown(f"the {language} parser failed: {type(error).__name__}")
