"""The real server whose model's answers come from memory: all that it does but HTTP.

The first token comes BENCHMARK_FIRST_MS milliseconds after the question, the others at once. Which
model there is the server still asks, over HTTP.
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
        """All lines, a piece each, behind the time that the model takes."""
        await asyncio.sleep(float(os.environ["BENCHMARK_FIRST_MS"]) / 1000)
        writing = Ollama().begin(Asked("", "", logprobs=True))
        for token in SUM.tokens:
            yield writing.event(token, None)
        yield writing.event(None, "stop")

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
