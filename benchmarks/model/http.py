"""As much of HTTP/1.1 as model servers' clients use: requests with a length, answers in chunks."""

import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Request:
    """A request, whole.

    Attributes:
        method: in capitals.
        path: without its query.
        headers: by name in small letters.
        body: as it came.
    """

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> dict[str, Any]:
        """The body's object; empty where it is none."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that is there at once.

    Attributes:
        body: a JSON value, or bytes that are sent as they are.
        status: as HTTP numbers it.
        kind: its content type.
        headers: beside type and length.
    """

    body: Any
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Head and body."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {"Content-Type": self.kind, "Content-Length": len(body), **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n{lines}\r\n".encode()
            + body
        )


class Requests:
    """Finds requests in the bytes of a connection."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> None:
        """Bytes have come."""
        self._waiting += data

    def next(self) -> Request | None:
        """The next whole request, once."""
        end = self._waiting.find(_END)
        if end < 0:
            return None
        first, *lines = self._waiting[:end].decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        start = end + len(_END)
        stop = start + int(headers.get("content-length") or 0)
        if len(self._waiting) < stop:
            return None
        body = bytes(self._waiting[start:stop])
        del self._waiting[:stop]
        method, target, _ = first.split(" ", 2)
        return Request(method, target.partition("?")[0], headers, body)


def stream_head(kind: str) -> bytes:
    """The head of an answer in chunks."""
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % kind.encode()
    )


def chunk(data: bytes) -> bytes:
    """A chunk of it."""
    return b"%x\r\n%s\r\n" % (len(data), data)


STREAM_END = b"0\r\n\r\n"
