"""Another program on the port that an engine had: it gets neither the secret nor any code."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import psutil
import pytest

from synconfroute.clients import embedded
from synconfroute.clients.embedded import Embedded
from synconfroute.clients.engine.state import EngineState
from synconfroute.clients.model import GenerationRequest, TextPrompt
from synconfroute.errors import ModelServerError, ServerUnreachable

_BODY = b'data: {"content": "theirs", "stop": true}\n\n'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)


@dataclass
class Squatter:
    """What listens there.

    Attributes:
        port: where.
        heard: all that was sent to it.
    """

    port: int
    heard: list[bytes] = field(default_factory=list)


@pytest.fixture
def squatter() -> Iterator[Squatter]:
    """A program that answers whatever it is asked."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = Squatter(listener.getsockname()[1])
        thread = threading.Thread(target=_answer, args=(listener, one))
        thread.start()
        yield one
        with socket.create_connection(("127.0.0.1", one.port)) as last:
            last.sendall(b"end")
        thread.join()


def _answer(listener: socket.socket, one: Squatter) -> None:
    while True:
        connection, _ = listener.accept()
        with connection:
            heard = connection.recv(65536)
            if heard == b"end":
                return
            if heard:
                one.heard.append(heard)
                connection.sendall(ANSWER)


def _found(monkeypatch: pytest.MonkeyPatch, port: int, pid: int, created: float) -> None:
    """Have this engine be the one that is found."""
    url = f"http://127.0.0.1:{port}"
    state = EngineState(pid, created, "model.gguf", 0.0, url, "the secret", 2048)
    monkeypatch.setattr(embedded, "find_or_start", lambda *_: state)


REQUEST = GenerationRequest(TextPrompt("def add(a, b):\n"), 8)


async def test_nothing_is_sent_once_the_engine_is_gone(
    squatter: Squatter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It died between being found and being asked, and another program took the port at once."""
    _found(monkeypatch, squatter.port, os.getpid(), psutil.Process().create_time() - 3600)
    client = Embedded()
    with pytest.raises(ServerUnreachable, match="another program has its place"):
        await client.stream(REQUEST)
    await client.aclose()
    assert squatter.heard == []


async def test_the_engine_itself_is_asked(
    squatter: Squatter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same state, with the process that it tells of."""
    _found(monkeypatch, squatter.port, os.getpid(), psutil.Process().create_time())
    client = Embedded()
    with contextlib.suppress(ModelServerError):  # what it answers is no matter here
        await (await client.stream(REQUEST)).aclose()
    await client.aclose()
    assert b"the secret" in squatter.heard[0]
