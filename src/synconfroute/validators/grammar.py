"""What a parser says of a text that it does not take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a buffer stops being code. Holds no source code.

    Attributes:
        line: 1-based line.
        message: what is wrong there, such as "unexpected indent".
    """

    line: int
    message: str


class Undecidable(Exception):
    """The parser gives up on a buffer, which says nothing about it; `str` says why."""
