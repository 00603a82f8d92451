"""What doctor found about one thing."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How it is."""

    OK = "ok"
    NOTE = "note"
    BAD = "not ok"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        about: what was looked at.
        health: works; works, but worth knowing; does not work.
        message: one sentence.
        remedy: the one line that mends it, or "".
    """

    about: str
    health: Health
    message: str
    remedy: str = ""
