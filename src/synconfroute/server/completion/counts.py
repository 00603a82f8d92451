"""How often what happened to completions: numbers by day and source, and no code.

Each server process adds its own numbers to the files of all, see `day_files`.
"""

import threading
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

from synconfroute.server.completion.answer import Provenance

MOST_ROWS = 64
"""Sources told apart a day; further ones count as "other"."""
MOST_WAITING = 7
"""Days whose numbers wait in memory at most, while the files cannot be written."""
LONGEST_NAME = 80
"""Longer names of models and languages are cut, in characters."""
OTHER = "other"

BOUNDS_MS = (
    1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000,
    3_000, 5_000, 7_000, 10_000, 15_000, 30_000, 60_000, 600_000,
)  # fmt: skip
"""The waits that are told apart: up to so many milliseconds. Longer ones count as the longest."""


class Event(StrEnum):
    """What happened to a completion.

    `ASKED`: a model was asked for it. `SENT`: the organisation's was asked too. `SHOWN`: an editor
    showed it, once however long it was typed along. `ACCEPTED`: the user took it; `FURTHER`: it was
    not the first of several then. `PARTLY`: a part of it was taken, as a word or a line. `KEPT`: a
    minute after it was accepted the document still held it; `GONE`: it did not. `GENERATED`: tokens
    that the local model wrote; `USED`: those of texts that an editor was given.
    `READ`: the local model only read its prompt, before anybody asked.
    `AHEAD`: asked for before an editor did; `AHEAD_USED`: and then an editor did. `AHEAD_GENERATED`
    and `AHEAD_USED_TOKENS`: the tokens of these, which are counted above too.
    `LEFT_ALONE`: asked while the organisation's server was left alone, since it had failed.
    `UNRECORDED`: nothing left, since the ledger could not be written.
    """

    ASKED = "asked"
    SENT = "sent"
    SHOWN = "shown"
    ACCEPTED = "accepted"
    FURTHER = "further"
    PARTLY = "partly"
    KEPT = "kept"
    GONE = "gone"
    GENERATED = "generated"
    USED = "used"
    READ = "read"
    AHEAD = "ahead"
    AHEAD_USED = "ahead_used"
    AHEAD_GENERATED = "ahead_generated"
    AHEAD_USED_TOKENS = "ahead_used_tokens"
    LEFT_ALONE = "left_alone"
    UNRECORDED = "unrecorded"


class Wait(StrEnum):
    """What an answer with a text was waited for: a model, or only our own memory."""

    MODEL = "model_ms"
    MEMORY = "memory_ms"


def cell(wait: Wait, ms: float) -> str:
    """The name under which an answer is counted that took so many milliseconds."""
    return f"{wait} {BOUNDS_MS[min(bisect_left(BOUNDS_MS, ms), len(BOUNDS_MS) - 1)]}"


NAMES = frozenset([*Event, *(f"{wait} {bound}" for wait in Wait for bound in BOUNDS_MS)])
"""All that is counted."""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Who made a text, for what, and how it was decided.

    Attributes:
        tier: "local", "org", or "" where nothing was shown.
        model: its name, without the folders of a path.
        language: LSP language id.
        reason: a `Reason`.
        verdict: an `Outcome`, or "" where there was none.
    """

    tier: str
    model: str
    language: str
    reason: str
    verdict: str

    @classmethod
    def of(cls, made: Provenance, language: str) -> "Source":
        """The source of an answer."""
        return cls(
            made.tier or "",
            _bare(made.model)[:LONGEST_NAME],
            language[:LONGEST_NAME],
            made.reason,
            made.verdict or "",
        )

    @property
    def folded(self) -> "Source":
        """What it counts as where there are too many."""
        return Source(self.tier, OTHER, OTHER, OTHER, "")


Rows = dict[Source, dict[str, int]]
"""Numbers by source, and in these by name."""


def add_to(rows: Rows, source: Source, name: str, number: int) -> None:
    """Count in `rows`, which stay bounded: a source too many counts as "other"."""
    if source not in rows and len(rows) >= MOST_ROWS:
        full = sum(each != each.folded for each in rows) >= MOST_ROWS
        source = source.folded if full else source
    numbers = rows.setdefault(source, {})
    numbers[name] = numbers.get(name, 0) + number


def today() -> date:
    """The day that is counted under, UTC."""
    return datetime.now(UTC).date()


class Counts:
    """This process's numbers, on their way to the files."""

    def __init__(self, folder: Path | None = None, day: Callable[[], date] = today) -> None:
        """Add to the files in `folder` (None: the user's), under what `day` says."""
        self._folder = folder
        self._day = day
        self._lock = threading.Lock()
        self._new: dict[date, Rows] = {}

    def add(self, source: Source, name: str, number: int = 1) -> None:
        """Count so many of a name in `NAMES`. Costs no access to files."""
        if number <= 0:
            return
        with self._lock:
            add_to(self._new.setdefault(self._day(), {}), source, name, number)
            while len(self._new) > MOST_WAITING:
                del self._new[min(self._new)]

    def save(self) -> bool:
        """Add to the files what is new. False if that cannot be done now; nothing is lost then."""
        with self._lock:
            new, self._new = self._new, {}
        if not new:
            return True
        from synconfroute.server.completion.day_files import add_days

        unsaved = add_days(new, self._folder)
        with self._lock:
            for day, rows in unsaved.items():
                _merge(self._new.setdefault(day, {}), rows)
        return not unsaved


def _merge(rows: Rows, more: Rows) -> None:
    for source, numbers in more.items():
        for name, number in numbers.items():
            add_to(rows, source, name, number)


def _bare(model: str) -> str:
    """A model's name; of a path only the file's name, since folders tell who the user is."""
    is_path = model.startswith(("/", "~", "\\")) or "\\" in model or model[1:3] == ":/"
    return model.replace("\\", "/").rstrip("/").rpartition("/")[2] if is_path else model
