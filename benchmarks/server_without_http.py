"""The real server whose model's answers come from memory: all that it does but HTTP.

The answer takes BENCHMARK_MODEL_MS milliseconds, its tokens and its end spread evenly over them.
Which model there is the server still asks, over HTTP.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any

from benchmarks.model.ollama import Ollama
from benchmarks.model.script import SUM, Asked
from synconfroute.clients.connection import Connection

_PATH = "/api/generate"
_open = Connection.open


class _Answer:
    """What of an HTTP response a stream of tokens reads."""

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        """All lines, a piece each, at their moments."""
        writing, loop = Ollama().begin(Asked("", "", logprobs=True)), asyncio.get_running_loop()
        began, moments = loop.time(), (*SUM.tokens, None)
        step = float(os.environ["BENCHMARK_MODEL_MS"]) / 1000 / len(moments)
        for number, token in enumerate(moments, 1):
            await asyncio.sleep(began + number * step - loop.time())
            yield writing.event(token, None if token else "stop")

    async def aclose(self) -> None:
        """Nothing is open."""


async def _answered(
    self: Connection,
    peer: Any,
    path: str,
    body: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> Any:
    return _Answer() if path == _PATH else await _open(self, peer, path, body, headers)


if __name__ == "__main__":
    from synconfroute.server.command.main import run

    Connection.open = _answered  # type: ignore[method-assign]
    sys.exit(run())
