"""What goes over the pipes to the parser process: JSON, each message behind its length.

JSON is kept to ASCII, so that half characters (lone surrogates) survive.
"""

import json
import struct
from typing import Any, BinaryIO

from synconfroute.validators.verdict import Evidence, Outcome, Verdict

_LENGTH = struct.Struct(">I")
_MOST = 16_000_000
"""Longest message in bytes: five times the largest buffer with every character escaped."""


class Garbled(Exception):
    """What came over a pipe is no message of ours."""


def send(pipe: BinaryIO, message: dict[str, Any]) -> None:
    """Write one message.

    Raises:
        OSError: the other end is gone.
        ValueError: the pipe is closed.
    """
    body = json.dumps(message).encode("ascii")
    pipe.write(_LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive(pipe: BinaryIO) -> dict[str, Any] | None:
    """Wait for one message; None at the end of the stream.

    Raises:
        Garbled: it is no message of ours.
        OSError: the pipe broke.
    """
    head = pipe.read(_LENGTH.size)
    if not head:
        return None
    if len(head) < _LENGTH.size:
        raise Garbled
    (length,) = _LENGTH.unpack(head)
    if length > _MOST:
        raise Garbled
    body = pipe.read(length)
    try:
        message = json.loads(body.decode("ascii"))
    except (ValueError, RecursionError):
        raise Garbled from None
    if len(body) < length or not isinstance(message, dict):
        raise Garbled
    return message


def verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """A verdict as the fields of a message."""
    return {
        "outcome": verdict.outcome.value,
        "reason": verdict.reason,
        "evidence": [[found.kind, found.message, found.line] for found in verdict.evidence],
    }


def verdict_of(message: dict[str, Any]) -> Verdict:
    """Read a verdict from the fields of a message.

    Raises:
        Garbled: they are no verdict.
    """
    try:
        return Verdict(
            Outcome(message["outcome"]),
            str(message["reason"]),
            tuple(
                Evidence(str(kind), str(text), int(line))
                for kind, text, line in message["evidence"]
            ),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise Garbled from None
