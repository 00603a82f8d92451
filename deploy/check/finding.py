"""What a check found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: what was compared with what.
        problem: what is wrong, in one sentence; "" where nothing is.
    """

    what: str
    problem: str = ""


def of(what: str, wrong: list[str]) -> Finding:
    """A finding from all that is wrong."""
    return Finding(what, "; ".join(wrong))
