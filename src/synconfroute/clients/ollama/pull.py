"""Having Ollama fetch a model."""

import re
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from synconfroute.clients.connection import Connection
from synconfroute.clients.documents import count_of, json_object, word_of
from synconfroute.clients.faults import Peer, from_error
from synconfroute.clients.stream import lines_of
from synconfroute.errors import ModelMissing, ModelServerError, ServerUnreachable


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a pull is.

    Attributes:
        status: what Ollama is doing, in its own words.
        completed: bytes of the current file that are here; 0 where no file is being fetched.
        total: bytes of the current file; 0 where no file is being fetched.
    """

    status: str
    completed: int = 0
    total: int = 0


async def pull(
    connection: Connection, peer: Peer, name: str, on_progress: Callable[[PullProgress], None]
) -> None:
    """Have Ollama fetch a model, by /api/pull. Cancelling stops it; a later pull goes on.

    Raises:
        ModelMissing: there is no such model.
        ModelServerError: Ollama cannot be reached, or cannot fetch it.
    """
    response = await connection.open(peer, "/api/pull", {"model": name, "stream": True})
    try:
        async with aclosing(lines_of(response, peer)) as lines:
            async for line in lines:
                if not line.strip():
                    continue
                progress = _progress(line, name, peer)
                on_progress(progress)
                if progress.status == "success":
                    return
    finally:
        await response.aclose()
    raise ServerUnreachable(f"{peer} ended the pull of {name!r} too early: pull it again.")


def _progress(line: bytes, name: str, peer: Peer) -> PullProgress:
    report = json_object(line, peer)
    if "error" in report:
        raise _pull_error(report["error"], name, peer)
    return PullProgress(
        status=word_of(report, "status"),
        completed=count_of(report, "completed") or 0,
        total=count_of(report, "total") or 0,
    )


def _pull_error(error: object, name: str, peer: Peer) -> ModelServerError:
    if isinstance(error, str) and re.search(r"file does not exist|not found", error):
        return ModelMissing(f"There is no model {name!r} for {peer} to pull: correct its name.")
    return from_error(error, peer)
