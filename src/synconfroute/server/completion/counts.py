"""How often what happened to completions: numbers by day and source, and no code.

One file for all server processes of the user. Each adds its own numbers to it under a lock, and the
new file replaces the old one in one step, so that a process that dies loses only what it had not
added yet.
"""

import json
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

from synconfroute.server.places import counts_file

MOST_DAYS = 400
"""Older days are forgotten."""

_LOCK_SECONDS = 0.5

Numbers = dict[str, dict[str, dict[str, int]]]
"""By day ("2026-11-30"), source and event."""


class Event(StrEnum):
    """What happened to a completion.

    `SHOWN`: an editor was given it, once however long it was typed along. `ACCEPTED`: the user took
    it. `PARTLY`: a part of it, as a word or a line. `KEPT`: a minute after it was accepted the
    document still held it; `GONE`: it did not.
    """

    SHOWN = "shown"
    ACCEPTED = "accepted"
    PARTLY = "partly"
    KEPT = "kept"
    GONE = "gone"


def _today() -> date:
    return datetime.now(UTC).date()


class Counts:
    """This process's numbers, on their way to the file."""

    def __init__(self, file: Path | None = None, today: Callable[[], date] = _today) -> None:
        """Add to `file` (None: the user's), under the day that `today` says."""
        self._file = file or counts_file()
        self._today = today
        self._lock = threading.Lock()
        self._new: Counter[tuple[str, str, str]] = Counter()

    def add(self, source: str, event: Event) -> None:
        """Count one. Costs no access to the file."""
        with self._lock:
            self._new[self._today().isoformat(), source, event.value] += 1

    def save(self) -> bool:
        """Add to the file what is new. False if that cannot be done now; nothing is lost then."""
        with self._lock:
            new, self._new = self._new, Counter()
        if not new:
            return True
        from filelock import FileLock, Timeout

        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(f"{self._file}.lock", timeout=_LOCK_SECONDS):
                _replace(self._file, _sum(read(self._file), new))
        except (OSError, Timeout):
            with self._lock:
                self._new += new
            return False
        return True


def read(file: Path | None = None) -> Numbers:
    """All numbers; what cannot be read counts nothing."""
    try:
        held = json.loads((file or counts_file()).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    numbers: Numbers = {}
    for day, source, event, number in _entries(held):
        numbers.setdefault(day, {}).setdefault(source, {})[event] = number
    return numbers


def _entries(held: object) -> list[tuple[str, str, str, int]]:
    """What of a file's content is as it should be."""
    return [
        (day, source, event, number)
        for day, sources in _items(held)
        for source, events in _items(sources)
        for event, number in _items(events)
        if isinstance(number, int) and event in set(Event)
    ]


def _items(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, dict) else []


def _sum(numbers: Numbers, new: Counter[tuple[str, str, str]]) -> Numbers:
    for (day, source, event), number in new.items():
        events = numbers.setdefault(day, {}).setdefault(source, {})
        events[event] = events.get(event, 0) + number
    return {day: numbers[day] for day in sorted(numbers)[-MOST_DAYS:]}


def _replace(file: Path, numbers: Numbers) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            json.dump(numbers, fresh, indent=1)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
