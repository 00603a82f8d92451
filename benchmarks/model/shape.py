"""What a protocol brings, so that a scripted model can be asked in it."""

from collections.abc import Sequence
from typing import Protocol

from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked, Token


class Writing(Protocol):
    """One answer, in the protocol's words."""

    def event(self, token: Token | None, reason: str | None) -> bytes:
        """What is written for a token.

        Args:
            token: None for the model's own end, which is a token, too, but has no text.
            reason: why it is the last one, "stop" or "length"; None where others follow.
        """

    def whole(self, tokens: Sequence[Token], reason: str) -> bytes:
        """The body of the answer where it was not to be streamed."""


class Shape(Protocol):
    """A model server's protocol.

    Attributes:
        kind: the content type of a streamed answer.
    """

    kind: str

    def asked(self, request: Request) -> Asked | None:
        """What a request for text asks; None where it asks something else."""

    def begin(self, asked: Asked) -> Writing:
        """Begin an answer."""

    def reply(self, request: Request) -> Reply:
        """The answer to anything else."""
