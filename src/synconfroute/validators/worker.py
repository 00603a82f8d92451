"""The parser process: reads requests from stdin, writes replies to stdout, ends with its parent.

Started by `child`, never by hand. Grammars may eat gigabytes of memory and hold the interpreter
for seconds on a few kilobytes of hostile text; here that hurts nobody.

Requests, by their method: `warm` loads the parsers, `validate` judges a text in a buffer that
comes along, `hold` brings a buffer up to date that stays here, `judge` judges a text in such a one.
"""

import gc
from typing import Any

from synconfroute.validators.held_buffers import HeldBuffers
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import WARMED
from synconfroute.validators.rule import judge
from synconfroute.validators.serving import serve
from synconfroute.validators.wire import verdict_fields


def main(memory_limit: int) -> None:
    """Serve until stdin ends.

    Args:
        memory_limit: bytes that this process may take.
    """
    buffers = HeldBuffers()
    serve(memory_limit, lambda request: _answer(request, buffers))


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
