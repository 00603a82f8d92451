"""Lines that hang together: each names the SHA-256 of the line before, and its own.

    {"n": 7, "time": …, "event": "sent", …, "prev": "HASH OF LINE 6", "hash": "…"}

A line's hash is that of its own text up to `prev`, with the closing brace. So a line that was
changed no longer fits its hash, and one that was taken out, put in or moved no longer fits the
next one. `n` counts the lines of one process, over all its files.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

START = "0" * 64
"""What the first line of all names as the hash of the line before."""

_LINE = re.compile(rb'(?P<body>\{.*), "hash": "(?P<hash>[0-9a-f]{64})"\}', re.DOTALL)
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Record:
    """A line as it can be read.

    Attributes:
        number: its `n`.
        event: what happened: "begun", "sent", "ended", "shown", "withheld", "dropped".
        members: all that it says.
        previous: the hash of the line before.
        hash: its own, as it says.
        sound: its own hash fits.
    """

    number: int
    event: str
    members: dict[str, Any]
    previous: str
    hash: str
    sound: bool

    def text(self, name: str) -> str:
        """A member that is text; "" where it is none."""
        value = self.members.get(name)
        return value if isinstance(value, str) else ""

    def count(self, name: str) -> int | None:
        """A member that is a number of 0 or more; None where it is none."""
        value = self.members.get(name)
        return value if type(value) is int and value >= 0 else None


def linked(number: int, members: dict[str, Any], previous: str) -> tuple[bytes, str]:
    """A line with its line feed, and its hash."""
    body = json.dumps({"n": number, **members, "prev": previous}).encode("ascii")
    digest = hashlib.sha256(body).hexdigest()
    return body[:-1] + f', "hash": "{digest}"}}\n'.encode("ascii"), digest


def read(line: bytes) -> Record | None:
    """A line without its line feed; None where it is no line of a ledger."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    body = match["body"] + b"}"
    try:
        members = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(members, dict):
        return None
    number, event, previous = (members.get(name) for name in ("n", "event", "prev"))
    if type(number) is not int or number < 1 or not isinstance(event, str):
        return None
    if not isinstance(previous, str) or _HASH.fullmatch(previous) is None:
        return None
    own = match["hash"].decode("ascii")
    return Record(number, event, members, previous, own, hashlib.sha256(body).hexdigest() == own)
