"""Counts that leave a machine by the user's hand, and counts of several people put together.

An export holds what the files of counts hold: numbers by day and source, and by session of a
comparison. Who it is from is a random number, so that a later export takes the place of an earlier
one of the same machine instead of counting twice.
"""

import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from synconfroute.errors import UsageError
from synconfroute.server.completion.counts import Rows, add_to
from synconfroute.server.completion.day_files import History, read_days, rows_of
from synconfroute.server.completion.summary import summarise
from synconfroute.server.completion.whole_file import replace_file
from synconfroute.server.observation.comparison.result import DIFFERENCE, compared
from synconfroute.server.observation.comparison.sessions import (
    Session,
    as_json,
    from_json,
    read_sessions,
)
from synconfroute.server.observation.report import Report
from synconfroute.server.places import counts_folder

KIND, FORMAT = "synconfroute counts", 1

_MOST_BYTES = 200_000_000
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Export:
    """One machine's counts.

    Attributes:
        machine: 16 random hexadecimal digits.
        made: when, UTC, ISO 8601.
        days: numbers by day and source.
        sessions: of comparisons.
    """

    machine: str
    made: str
    days: dict[date, Rows]
    sessions: tuple[Session, ...]


def export(folder: Path | None = None, since: date | None = None) -> str:
    """This machine's counts as a text, JSON.

    Args:
        folder: where the counts are; None: the user's.
        since: leave out earlier days, and sessions that began earlier.

    Raises:
        OSError: this machine's random number cannot be kept.
    """
    first = since or date.min
    days = read_days(folder, since=first).days
    return json.dumps(
        {
            "kind": KIND,
            "format": FORMAT,
            "machine": _machine(folder or counts_folder()),
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "days": {
                day.isoformat(): [asdict(source) | {"numbers": rows[source]} for source in rows]
                for day, rows in sorted(days.items())
            },
            "sessions": [
                as_json(each)
                for each in sorted(read_sessions(folder), key=lambda each: each.id)
                if each.day >= first
            ],
        }
    )


def pooled(
    files: Sequence[Path], since: date | None = None, difference: float = DIFFERENCE
) -> tuple[Report, list[str]]:
    """What several exports come to together, and one sentence for each that was passed over.

    Args:
        files: exports; of two of one machine the later counts.
        since: leave out earlier days, and sessions that began earlier.
        difference: as for `compared`.

    Raises:
        UsageError: a file is no export.
    """
    newest: dict[str, tuple[Export, Path]] = {}
    passed_over = []
    for file in files:
        found = _read(file)
        known = newest.get(found.machine)
        if known is not None:
            older = file if found.made <= known[0].made else known[1]
            passed_over.append(f"{older.name} is an earlier export of a machine that has a later.")
        if known is None or found.made > known[0].made:
            newest[found.machine] = found, file
    exports = [each for each, _ in newest.values()]
    first = since or date.min
    sessions = [each for held in exports for each in held.sessions if each.day >= first]
    comparing = sum(bool(held.sessions) for held in exports)
    report = Report(
        since,
        summarise(History(_days(exports, first), ())),
        compared(sessions, difference=difference, times_planned=max(1, comparing)),
        people=len(exports),
    )
    return report, passed_over


def _days(exports: Iterable[Export], first: date) -> dict[date, Rows]:
    days: dict[date, Rows] = {}
    for held in exports:
        for day, rows in held.days.items():
            if day >= first:
                together = days.setdefault(day, {})
                for source, numbers in rows.items():
                    for name, number in numbers.items():
                        add_to(together, source, name, number)
    return days


def _read(file: Path) -> Export:
    try:
        with file.open("rb") as opened:
            held = json.loads(opened.read(_MOST_BYTES))
    except OSError as error:
        raise UsageError(f"{file.name} cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError):
        held = None
    found = _export(held)
    if found is None:
        raise UsageError(
            f"{file.name} is no export of counts that this version can read: make one with"
            " `synconfroute stats --export FILE`."
        )
    return found


def _export(held: Any) -> Export | None:
    if not isinstance(held, dict) or (held.get("kind"), held.get("format")) != (KIND, FORMAT):
        return None
    machine, made = held.get("machine"), held.get("made")
    days, sessions = held.get("days"), held.get("sessions")
    if not isinstance(machine, str) or not _ID.fullmatch(machine) or not isinstance(made, str):
        return None
    if not isinstance(days, dict) or not isinstance(sessions, list):
        return None
    try:
        read = {date.fromisoformat(day): rows_of(rows) for day, rows in days.items()}
    except ValueError:
        return None
    return Export(
        machine,
        made,
        {day: rows for day, rows in read.items() if rows},
        tuple(each for each in map(from_json, sessions) if each is not None),
    )


def _machine(folder: Path) -> str:
    """This machine's random number, made at the first export."""
    file = folder / "machine"
    try:
        known = file.read_text(encoding="utf-8").strip()
        if _ID.fullmatch(known):
            return known
    except (OSError, ValueError):
        pass
    fresh = secrets.token_hex(8)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(file, f"{fresh}\n")
    return fresh
