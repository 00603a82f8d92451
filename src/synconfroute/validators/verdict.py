"""What a validator says: a verdict, why, and evidence beside it."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """Does inserting the text break this buffer?"""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something parseable yet suspicious. It never changes a verdict.

    Attributes:
        kind: "name", "missing", "unreachable", "duplicate" or "open".
        message: one sentence.
        line: 1-based line in the buffer with the text inserted.
    """

    kind: str
    message: str
    line: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome, reason and evidence.

    Attributes:
        outcome: valid, invalid or unknown.
        reason: one sentence: what would break and where, or why nothing can be said.
        evidence: what is suspicious.
    """

    outcome: Outcome
    reason: str
    evidence: tuple[Evidence, ...] = ()


def unknown(reason: str) -> Verdict:
    """Nothing can be said, for this reason. An unknown verdict never escalates by itself."""
    return Verdict(Outcome.UNKNOWN, reason)
