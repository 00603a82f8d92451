"""A model server on a real socket, well or with one fault."""

import asyncio
import json
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CERTIFICATES = Path(__file__).parent / "certificates"
LOCAL_TEXT = "a + b"
ORG_TEXT = "b + a"
MODEL = "qwen2.5-coder"


@dataclass(frozen=True)
class Exchange:
    """One request that is to be answered."""

    method: str
    path: str
    body: dict[str, Any]
    writer: asyncio.StreamWriter
    server: "ModelServer"

    @property
    def generates(self) -> bool:
        """It asks for text, so that it carries code."""
        return self.path in {"/v1/completions", "/v1/chat/completions", "/api/generate"}

    async def bytes(self, content: bytes) -> None:
        """Send these."""
        self.writer.write(content)
        await self.writer.drain()

    async def head(self, status: int, kind: str, /, **headers: str | int) -> None:
        """Send a head of an answer that ends with the connection."""
        lines = {"Content-Type": kind, "Connection": "close"}
        lines |= {name.replace("_", "-"): str(value) for name, value in headers.items()}
        text = "".join(f"{each}: {value}\r\n" for each, value in lines.items())
        await self.bytes(f"HTTP/1.1 {status} Scripted\r\n{text}\r\n".encode())

    async def json(self, answer: Any, status: int = 200, **headers: str | int) -> None:
        """Send a whole answer."""
        content = json.dumps(answer).encode() + b"\n"
        await self.head(status, "application/json", Content_Length=len(content), **headers)
        await self.bytes(content)

    async def stream(self) -> None:
        """Send the head of a streamed answer."""
        lines = "text/event-stream" if self.server.kind == "openai" else "application/x-ndjson"
        await self.head(200, lines)

    async def piece(self, text: str) -> None:
        """Send one token."""
        await self.bytes(self.server.piece(text))

    async def end(self) -> None:
        """Send what ends an answer."""
        await self.bytes(self.server.last())

    async def until_left(self) -> None:
        """Wait until the other side has hung up."""
        while not self.writer.transport.is_closing():
            await asyncio.sleep(0.01)

    def hang_up(self) -> None:
        """Break the connection off (a reset, not an end)."""
        found = self.writer.get_extra_info("socket")
        linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Fault = Callable[[Exchange], Awaitable[bool]]
"""Answers a request wrongly; False where it is to be answered as by a server that is well."""


@dataclass
class ModelServer:
    """Ollama, or a server of OpenAI's protocol.

    Attributes:
        kind: "ollama" or "openai".
        text: what it completes with.
        logprob: of each of its tokens.
        fault: what is wrong with it; None: nothing.
        version: its own, where it says so.
        certificate: name of the file that it shows; "": it speaks plain HTTP.
        asked: path of each request, in order.
        prompts: so many requests that carried code.
    """

    kind: str = "openai"
    text: str = ORG_TEXT
    logprob: float | None = -0.05
    fault: Fault | None = None
    version: str = "0.33.0"
    certificate: str = ""
    asked: list[str] = field(default_factory=list)
    prompts: int = 0
    port: int = 0
    _server: asyncio.Server | None = None
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Its address."""
        scheme = "https" if self.certificate else "http"
        base = f"{scheme}://127.0.0.1:{self.port}"
        return f"{base}/v1" if self.kind == "openai" else base

    async def __aenter__(self) -> Self:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen."""
        context = None
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / self.certificate)
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, ssl=context)

    async def stop(self) -> None:
        """Listen no more and hang up on everybody."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def piece(self, text: str) -> bytes:
        """One token on the wire."""
        scored = self.logprob is not None
        if self.kind == "ollama":
            line: dict[str, Any] = {"model": MODEL, "response": text, "done": False}
            if scored:
                line["logprobs"] = [{"token": text, "logprob": self.logprob}]
            return json.dumps(line).encode() + b"\n"
        choice: dict[str, Any] = {"index": 0, "text": text, "finish_reason": None}
        if scored:
            choice["logprobs"] = {"tokens": [text], "token_logprobs": [self.logprob]}
        return b"data: " + json.dumps({"model": MODEL, "choices": [choice]}).encode() + b"\n\n"

    def last(self) -> bytes:
        """The end of an answer on the wire."""
        if self.kind == "ollama":
            line = {"model": MODEL, "response": "", "done": True, "done_reason": "stop"}
            return json.dumps(line).encode() + b"\n"
        choice = {"index": 0, "text": "", "finish_reason": "stop"}
        event = b"data: " + json.dumps({"model": MODEL, "choices": [choice]}).encode() + b"\n\n"
        return event + b"data: [DONE]\n\n"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            exchange = await self._read(reader, writer)
            self.asked.append(exchange.path)
            self.prompts += exchange.generates
            leaving = asyncio.ensure_future(_until_gone(reader, writer))
            try:
                if self.fault is None or not await self.fault(exchange):
                    await self._answer(exchange)
            finally:
                leaving.cancel()
        except (OSError, asyncio.IncompleteReadError):
            pass  # whoever asked has left
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange:
        first = await reader.readexactly(1)
        if first == b"\x16":  # TLS, where plain HTTP is spoken
            writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            raise ConnectionError
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, _ = head.split(" ", 2)
        lengths = [
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.lower().startswith("content-length:")
        ]
        body = await reader.readexactly(lengths[0]) if lengths else b"{}"
        return Exchange(method, path, json.loads(body), writer, self)

    async def _answer(self, exchange: Exchange) -> None:
        known = _OLLAMA if self.kind == "ollama" else _OPENAI
        if exchange.generates:
            await exchange.stream()
            for piece in _pieces(self.text):
                await exchange.piece(piece)
            await exchange.end()
        elif exchange.path in {"/version", "/api/version"}:
            await exchange.json({"version": self.version})
        elif exchange.path in known:
            await exchange.json(known[exchange.path])
        else:
            await exchange.json({"error": "not found"}, 404)


_OPENAI = {
    "/v1/models": {"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": 4096}]},
}
_OLLAMA = {
    "/api/tags": {"models": [{"name": MODEL}]},
    "/api/show": {"model_info": {"general.architecture": "qwen2"}, "template": ""},
    "/api/ps": {"models": []},
}


def _pieces(text: str) -> Sequence[str]:
    """The text as tokens, one a word with its blank."""
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)]


async def _until_gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close our side when the other one has."""
    if not await reader.read(1):
        writer.close()
