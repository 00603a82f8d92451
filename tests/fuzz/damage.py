"""Messages as no client should send them, made of messages as clients do send them."""

import copy
import json
import random
from typing import Any

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**53, -(2**63), 10**400, 1.5, float("nan"), float("inf"),
    "", "x", "\0", "\ud83d", "file:///victim/0.py", "a" * 5_000, [], {}, [[]], [None], {"": None},
    {"uri": 1}, {"line": -1, "character": 0}, {"line": 0, "character": 2**40},
    {"start": {"line": 9, "character": 0}, "end": {"line": 0, "character": 0}},
)  # fmt: skip


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def written(message: Any) -> bytes:
    """A message's body. Half characters are escaped, as JSON can."""
    return json.dumps(message).encode()


def bent(rng: random.Random, message: dict[str, Any]) -> bytes:
    """A body with something of another kind in it, or nothing where something should be."""
    message = copy.deepcopy(message)
    for _ in range(rng.choice((1, 1, 2, 4))):
        holder = _somewhere(rng, message)
        if isinstance(holder, dict) and holder:
            name = rng.choice(list(holder))
            if name == "method" and holder is message and rng.random() < 0.8:
                continue
            if rng.random() < 0.3:
                del holder[name]
            else:
                holder[name] = _value(rng)
        elif isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), _value(rng))
    return written(message)


def broken(rng: random.Random, message: dict[str, Any]) -> bytes:
    """A body with bytes changed, lost or doubled: hardly ever JSON."""
    body = bytearray(written(message))
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(body))
        match rng.randrange(4):
            case 0:
                body[at] ^= 1 << rng.randrange(8)
            case 1:
                del body[at : at + rng.randint(1, 20)]
            case 2:
                body[at:at] = body[at : at + rng.randint(1, 20)]
            case _:
                body[at:at] = rng.randbytes(3)
        if not body:
            return b""
    # A body that holds a header's end is damage of the framing; that is `misframed`'s.
    return bytes(body).replace(b"\r\n\r\n", b"")


def misframed(rng: random.Random, body: bytes) -> bytes:
    """A message whose header is wrong, or bytes that are none. What follows must be understood."""
    length = len(body)
    match rng.randrange(12):
        case 0:
            return b"Content-Length: %d\r\n\r\n%s" % (length + rng.randint(1, 400), body)
        case 1:
            return b"Content-Length: %d\r\n\r\n%s" % (rng.randint(0, max(0, length - 1)), body)
        case 2:
            return b"Content-Length: %d\r\n\r\n%s" % (10 ** rng.randint(5, 17), body)
        case 3:
            return b"Content-Length: -1\r\n\r\n" + body
        case 4:
            return b"content-LENGTH:%d\r\nContent-Type: nothing/known\r\n\r\n%s" % (length, body)
        case 5:
            return b"\r\n\r\n"
        case 6:
            return rng.randbytes(rng.randint(1, 60)).replace(b"\n", b" ")
        case 7:
            return b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        case 8:
            return framed(body)[: rng.randint(1, length)]
        case 9:
            return b"Content-Length: 3\r\nContent-Length: %d\r\n\r\n%s" % (length, body)
        case 10:
            return b"Content-Length: 0\r\n\r\n"
        case _:
            return b"X: " + b"y" * rng.randint(1, 9_000) + b"\r\n\r\n"


def deep(rng: random.Random) -> bytes:
    """Something nested beyond reason."""
    depth = rng.choice((900, 5_000, 100_000))
    return rng.choice((b"[" * depth, b'{"id": ' * depth, b"[" * depth + b"]" * depth))


def _value(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(_VALUES))


def _somewhere(rng: random.Random, message: Any) -> Any:
    """An object or a list inside the message."""
    holders = [message]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [each for each in inner if isinstance(each, dict | list)]
    return rng.choice(holders)
