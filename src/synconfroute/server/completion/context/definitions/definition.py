"""A definition without what carries it out."""

from dataclasses import dataclass

MOST_LINES = 30
MOST_CHARACTERS = 1_200
"""What of one definition is kept: whole lines within both."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What another file may use.

    Attributes:
        name: what it is called.
        text: signatures and constants, no bodies; whole lines, no closing line end.
        first: its first line in the file, counted from 0.
        last: its last line there, without the body of a function.
    """

    name: str
    text: str
    first: int
    last: int


def bounded(text: str) -> str:
    """The first lines of a text within the limits, without empty ones."""
    kept: list[str] = []
    room = MOST_CHARACTERS
    for line in text.split("\n"):
        if not line.strip():
            continue
        room -= len(line) + 1
        if room < 0 or len(kept) == MOST_LINES:
            break
        kept.append(line.rstrip())
    return "\n".join(kept)
