"""A model server that answers from a script, byte for byte, over a real socket."""

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

RECORDED = Path(__file__).parent / "recorded"

Cut = Callable[[bytes], Sequence[bytes]]
"""Cuts the bytes of an answer into the pieces that are sent one by one."""


@dataclass(frozen=True)
class Case:
    """One recorded question and answer."""

    server: str
    name: str
    method: str
    path: str
    body: Any
    status: int
    headers: Mapping[str, str]
    chunks: tuple[bytes, ...]
    closed_by_client: bool

    def __str__(self) -> str:
        return f"{self.server}/{self.name}"


@dataclass(frozen=True)
class Answer:
    """What goes over the wire.

    Attributes:
        pieces: bytes, sent one by one, the status line included.
        then: "keep" the connection for the next request, "close" it, or "hang": send no more
            and wait for the client to hang up.
    """

    pieces: tuple[bytes, ...]
    then: str = "keep"


@dataclass(frozen=True)
class Received:
    """A request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


def case(server: str, name: str) -> Case:
    """A recorded case."""
    stored = json.loads((RECORDED / server / f"{name}.json").read_text(encoding="utf-8"))
    return Case(
        server=server,
        name=name,
        method=stored["request"]["method"],
        path=stored["request"]["path"],
        body=stored["request"]["body"],
        status=stored["status"],
        headers=stored["headers"],
        chunks=tuple(text.encode("utf-8", "surrogateescape") for _, text in stored["chunks"]),
        closed_by_client=stored["closed_by_client"],
    )


def all_cases() -> list[Case]:
    """Every recorded case."""
    return [case(file.parent.name, file.stem) for file in sorted(RECORDED.glob("*/*.json"))]


def recorded(source: Case, cut: Cut | None = None) -> Answer:
    """The recorded answer: at the recorded chunk borders, or cut anew."""
    chunked = "chunked" in {value.lower() for value in source.headers.values()}
    # Folder names in the recordings were shortened, so one body is shorter than it was.
    length = {"content-length": str(sum(map(len, source.chunks)))}
    names = "".join(
        f"{name}: {length.get(name.lower(), value)}\r\n" for name, value in source.headers.items()
    )
    head = f"HTTP/1.1 {source.status} Recorded\r\n{names}\r\n".encode()
    if chunked:
        body = [b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in source.chunks]
    else:
        body = list(source.chunks)
    if source.closed_by_client:
        return _answer([head, *body], cut, "hang")
    ends = "close" in {value.lower() for value in source.headers.values()}
    last = [b"0\r\n\r\n"] if chunked else []
    return _answer([head, *body, *last], cut, "close" if ends else "keep")


def scripted(
    body: bytes | Sequence[bytes],
    *,
    status: int = 200,
    kind: str = "application/json",
    headers: Mapping[str, str] | None = None,
    then: str = "close",
    cut: Cut | None = None,
) -> Answer:
    """An answer of one's own, that ends with the connection."""
    parts = [body] if isinstance(body, bytes) else list(body)
    lines = {"Content-Type": kind, "Connection": "close", **(headers or {})}
    names = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    head = f"HTTP/1.1 {status} Scripted\r\n{names}\r\n".encode()
    return _answer([head, *parts], cut, then)


def every(size: int) -> Cut:
    """Cut after each `size` bytes."""
    return lambda data: [data[start : start + size] for start in range(0, len(data), size)]


def _answer(parts: Sequence[bytes], cut: Cut | None, then: str) -> Answer:
    return Answer(tuple(cut(b"".join(parts)) if cut is not None else parts), then)


@dataclass
class ReplayServer:
    """Answers requests by "METHOD path". What it has no answer for is a 404 without a body.

    Attributes:
        answers: what to send; a list is used up one by one, its last answer stays.
        received: the requests, in order.
        hung_up: set when a client closed the connection before its answer was complete.
        connections: how many were opened.
    """

    answers: Mapping[str, Answer | Sequence[Answer]]
    received: list[Received] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0
    url: str = ""

    async def __aenter__(self) -> Self:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def body(self, index: int = -1) -> Any:
        """The JSON body of a request."""
        return self.received[index].json()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _request(reader)) is not None:
                self.received.append(request)
                answer = self._next(f"{request.method} {request.path}")
                if not await self._send(answer, reader, writer):
                    self.hung_up.set()
                    return
                if answer.then == "close":
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    def _next(self, route: str) -> Answer:
        answer = self.answers.get(route)
        if answer is None:
            return scripted(b"", status=404)
        if isinstance(answer, Answer):
            return answer
        queue = list(answer)
        if len(queue) > 1:
            self.answers = {**self.answers, route: queue[1:]}
        return queue[0]

    async def _send(
        self, answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Send the pieces; False if the client hung up meanwhile."""
        for piece in answer.pieces:
            writer.write(piece)
            await writer.drain()
            # Two turns of the loop: in the first the client reads, so pieces arrive one by one.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        if answer.then == "hang":
            return bool(await reader.read(1))
        return True


async def _request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(method, path, headers, body)


def free_address() -> str:
    """An address on this machine where nothing answers."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def clear_proxies(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Names of the proxy variables that are set."""
    return [name for name in environ if name.lower().endswith("_proxy")]
