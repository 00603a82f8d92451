"""What a scripted model did, as its process says it: a line of JSON an event."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Came:
    """A generation was asked for.

    Attributes:
        number: of the generation, from 1.
        at: when its request was there, whole; seconds of the machine's monotonic clock.
    """

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation that is over; moments are seconds of the machine's monotonic clock.

    Attributes:
        number: from 1, in the order in which they came.
        came: when its request was there, whole.
        first: when its first token was written; None where it never was.
        third: the same of its third token.
        ended: when its last token was written, or the client closed the connection.
        tokens: how many were generated, the model's own end left out.
        text: what was generated.
        whole: it went to its end; False where the client closed the connection before.
        request: the client's name for it, X-Request-Id; "" where it gives none.
        sent: bytes of the request's body.
    """

    number: int
    came: float
    first: float | None
    third: float | None
    ended: float
    tokens: int
    text: str
    whole: bool
    request: str
    sent: int

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.ended - self.came


def line_of(event: Came | Generation) -> str:
    """An event as a line, without its end."""
    return json.dumps(asdict(event), separators=(",", ":"))


def event_of(line: bytes | str) -> Came | Generation:
    """The event of a line."""
    members = json.loads(line)
    return Came(**members) if "at" in members else Generation(**members)
