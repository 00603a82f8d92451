"""Scripted model servers in a process of their own, a local one and an organisation's: instant.

Usage: models.py SEEN. Prints `LOCAL ORG CONTROL`, three ports of this machine, then serves until
its stdin is closed. What the organisation's server is asked is written to the file SEEN, one
request id a line, before it is answered. A line `local MODE` or `org MODE` sent to CONTROL says
how a server behaves from then on; it is answered with a line. The modes are `MODES`; with `: TEXT`
behind it every answer is that text.
"""

import asyncio
import json
import os
import sys
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

TEXTS = (
    "a + b\n", "return value\n", "", "x = 1\n    y = 2\n", "for i in range(3):\n    print(i)\n",
    ") {\n", "self.name = name\n", "é = '🦓'\n", "\x1b[31mred\x1b[0m\n", "\u202eevil\u2066\n", "\0",
    "```python\nprint(1)\n```\n", "}\n}\n}\n", "if (a < b) { return a; }\n", "\t\tnothing;\n",
)  # fmt: skip
"""What is answered; which of them depends on the prompt alone."""

SURE, UNSURE = -0.01, -3.0


@dataclass
class Model:
    """One server.

    Attributes:
        name: of its model.
        mode: how it behaves.
        text: of every answer; "": it depends on the prompt.
        seen: told each request's id, before it is answered.
    """

    name: str
    mode: str = "well"
    text: str = ""
    seen: Callable[[str], None] = field(default=lambda _: None)


def _events(model: Model, body: bytes) -> list[bytes]:
    """The answer's pieces; a prompt has always the same."""
    mark = zlib.crc32(body)
    text = model.text or TEXTS[mark % len(TEXTS)]
    logprob = UNSURE if mark % 3 else SURE
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    lines = [_event(model, piece, logprob, None) for piece in pieces]
    return [*lines, _event(model, "", None, "stop"), b"data: [DONE]\n\n"]


def _event(model: Model, text: str, logprob: float | None, finish: str | None) -> bytes:
    logprobs = None if logprob is None else {"tokens": [text], "token_logprobs": [logprob]}
    choice = {"index": 0, "text": text, "logprobs": logprobs, "finish_reason": finish}
    event = {"model": model.name, "choices": [choice]}
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def _whole(status: str, kind: str, content: bytes, more: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _stream(lines: list[bytes]) -> bytes:
    return _whole("200 OK", "text/event-stream", b"".join(lines))


Behave = Callable[[Model, bytes, asyncio.StreamWriter], Awaitable[bool]]
"""Answers a request; False: the connection is closed then."""


async def _well(model: Model, body: bytes, writer: asyncio.StreamWriter) -> bool:
    writer.write(_stream(_events(model, body)))
    return True


def _status(status: str, more: str = "") -> Behave:
    async def behave(_model: Model, _body: bytes, writer: asyncio.StreamWriter) -> bool:
        writer.write(_whole(status, "application/json", b'{"error": {"message": "no"}}', more))
        return True

    return behave


def _said(kind: str, content: bytes) -> Behave:
    async def behave(_model: Model, _body: bytes, writer: asyncio.StreamWriter) -> bool:
        writer.write(_whole("200 OK", kind, content))
        return True

    return behave


async def _drops(_model: Model, _body: bytes, _writer: asyncio.StreamWriter) -> bool:
    return False


async def _half(model: Model, body: bytes, writer: asyncio.StreamWriter) -> bool:
    answer = _stream(_events(model, body))
    writer.write(answer[: len(answer) * 2 // 3])
    return False


async def _slow(model: Model, body: bytes, writer: asyncio.StreamWriter) -> bool:
    await asyncio.sleep(0.2)
    return await _well(model, body, writer)


async def _drips(model: Model, body: bytes, writer: asyncio.StreamWriter) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    for line in _events(model, body):
        for at in range(0, len(line), 40):
            writer.write(line[at : at + 40])
            await writer.drain()
            await asyncio.sleep(0.01)
    return False


async def _hangs(_model: Model, _body: bytes, writer: asyncio.StreamWriter) -> bool:
    await asyncio.wait([asyncio.ensure_future(writer.wait_closed())], timeout=5.0)
    return False


async def _endless(model: Model, _body: bytes, writer: asyncio.StreamWriter) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    line = _event(model, "again ", SURE, None) * 20
    for _ in range(2_000):
        writer.write(line)
        await writer.drain()
    return False


MODES: dict[str, Behave] = {
    "well": _well,
    "401": _status("401 Unauthorized"),
    "404": _status("404 Not Found"),
    "413": _status("413 Content Too Large"),
    "429": _status("429 Too Many Requests", "Retry-After: 1\r\n"),
    "500": _status("500 Internal Server Error"),
    "503": _status("503 Service Unavailable", "Retry-After: 1\r\n"),
    "html": _said("text/html", b"<html><body>Log in first.</body></html>"),
    "empty": _said("text/event-stream", b""),
    "another shape": _said(
        "text/event-stream",
        b'data: {"choices": {"0": [1]}, "model": ["x"]}\n\ndata: [[]]\n\ndata: [DONE]\n\n',
    ),
    "another choice": _said(
        "text/event-stream",
        b'data: {"choices": [{"index": 1, "text": "theirs", "finish_reason": "stop"}]}\n\n'
        b"data: [DONE]\n\n",
    ),
    "no line end": _said("text/event-stream", b"data: " + b"x" * (10 << 20)),
    "drops": _drops,
    "half": _half,
    "slow": _slow,
    "drips": _drips,
    "hangs": _hangs,
    "endless": _endless,
}


async def _serve(model: Model, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await _one(model, reader, writer):
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass  # The other side hung up, as it may.
    finally:
        writer.close()


async def _one(model: Model, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    request, *lines = head.split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    if not request.startswith("POST"):
        entry = {"id": model.name, "owned_by": "scripted", "max_model_len": 4096}
        writer.write(_whole("200 OK", "application/json", json.dumps({"data": [entry]}).encode()))
        return True
    model.seen(headers.get("x-request-id", "?"))
    return await MODES[model.mode](model, body, writer)


async def _control(
    models: dict[str, Model], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    while line := await reader.readline():
        which, _, mode = line.decode().strip().partition(" ")
        mode, _, text = mode.partition(": ")
        models[which].mode, models[which].text = mode, text
        writer.write(b"done\n")
    writer.close()


async def main(seen: str) -> None:
    """Serve until stdin is closed."""
    descriptor = os.open(seen, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    models = {
        "local": Model("qwen2.5-coder"),
        "org": Model("qwen2.5-coder-org", seen=lambda each: _write(descriptor, each)),
    }
    ports = []
    for model in models.values():
        server = await asyncio.start_server(_accept(model), "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
    control = await asyncio.start_server(lambda r, w: _control(models, r, w), "127.0.0.1", 0)
    ports.append(control.sockets[0].getsockname()[1])
    print(*ports, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


def _accept(model: Model) -> Callable[..., Awaitable[None]]:
    return lambda reader, writer: _serve(model, reader, writer)


def _write(descriptor: int, identity: str) -> None:
    os.write(descriptor, f"{identity}\n".encode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
