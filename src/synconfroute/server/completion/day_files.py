"""The numbers of all server processes of the user: one small file a day.

Each process adds to the day's file under a lock, and the new file replaces the old one in one step,
so that a process that dies loses only what it had not added yet. How much is rewritten does not
grow with what was counted before.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from synconfroute.server.completion.counts import NAMES, Rows, Source, add_to
from synconfroute.server.completion.whole_file import replace_file
from synconfroute.server.places import counts_folder

FORMAT = 1
"""Of a file. What a newer format holds is neither read nor replaced."""
MOST_DAYS = 400
"""Older files are deleted; what they came to is added to one file."""

_LOCK_SECONDS = 0.5
_MOST_BYTES = 4_000_000
"""No day's file of ours comes near this."""
_EARLIER = "earlier.json"
_DIMENSIONS = [each.name for each in fields(Source)]


@dataclass(frozen=True, slots=True)
class History:
    """What was counted.

    Attributes:
        days: the numbers by day.
        unreadable: names of files that cannot be read, or that a newer version wrote.
    """

    days: dict[date, Rows]
    unreadable: tuple[str, ...]


class _Unreadable(Exception):
    """A file that must be left as it is."""


def add_days(new: dict[date, Rows], folder: Path | None = None) -> dict[date, Rows]:
    """Add to the files of these days, and delete those that are too old.

    Returns:
        What could not be added: another process holds the lock, or the disk refuses.
    """
    from filelock import FileLock, Timeout

    folder = folder or counts_folder()
    unsaved = dict(new)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(folder / "lock", timeout=_LOCK_SECONDS):
            for day, rows in new.items():
                _add(_file_of(folder, day), rows)
                del unsaved[day]
            for file in sorted(dict(_files(folder)).values())[:-MOST_DAYS]:
                _add(folder / _EARLIER, _read(file))
                file.unlink(missing_ok=True)
    except (OSError, Timeout, _Unreadable):
        return unsaved
    return {}


def read_days(folder: Path | None = None, since: date = date.min) -> History:
    """What was counted since a day. Raises nothing."""
    days: dict[date, Rows] = {}
    unreadable = []
    for day, file in _files(folder or counts_folder()):
        if day < since:
            continue
        try:
            rows = _read(file)
        except (OSError, _Unreadable):
            unreadable.append(file.name)
        else:
            if rows:
                days[day] = rows
    return History(days, tuple(unreadable))


class Totals:
    """What all days together come to, told again and again: a day is read anew once it changed."""

    def __init__(self, folder: Path | None = None) -> None:
        """Of the files in `folder` (None: the user's)."""
        self._folder = folder
        self._read: dict[Path, tuple[tuple[int, int], Rows]] = {}

    def rows(self) -> Rows:
        """The numbers by source, in the order in which the sources came. Raises nothing.

        They never fall, while nobody deletes the files.
        """
        folder = self._folder or counts_folder()
        files = [folder / _EARLIER, *dict(_files(folder)).values()]
        self._read = {file: held for file in files if (held := self._held(file)) is not None}
        together: Rows = {}
        for _, rows in self._read.values():
            for source, numbers in rows.items():
                totals = together.setdefault(source, {})
                for name, number in numbers.items():
                    totals[name] = totals.get(name, 0) + number
        return together

    def _held(self, file: Path) -> tuple[tuple[int, int], Rows] | None:
        """The file's numbers with what tells whether it has changed; None where it is not ours."""
        try:
            status = file.stat()
            stamp, known = (status.st_mtime_ns, status.st_size), self._read.get(file)
            return known if known is not None and known[0] == stamp else (stamp, _read(file))
        except (OSError, _Unreadable):
            return None


def read_earlier(folder: Path | None = None) -> Rows:
    """What all the days whose files were deleted came to. Raises nothing."""
    try:
        return _read((folder or counts_folder()) / _EARLIER)
    except (OSError, _Unreadable):
        return {}


def _files(folder: Path) -> Iterator[tuple[date, Path]]:
    """The files of days, oldest first."""
    try:
        found = sorted(folder.glob("*.json"))
    except OSError:
        return
    for file in found:
        try:
            yield date.fromisoformat(file.stem), file
        except ValueError:
            continue


def _file_of(folder: Path, day: date) -> Path:
    return folder / f"{day.isoformat()}.json"


def _add(file: Path, new: Rows) -> None:
    rows = _read(file)
    for source, numbers in new.items():
        for name, number in numbers.items():
            add_to(rows, source, name, number)
    held = [asdict(source) | {"numbers": rows[source]} for source in sorted(rows)]
    replace_file(file, json.dumps({"format": FORMAT, "rows": held}))


def _read(file: Path) -> Rows:
    """A day's numbers; what is not as it should be counts nothing.

    Raises:
        OSError: it cannot be read.
        _Unreadable: a newer version wrote it.
    """
    try:
        with file.open("rb") as opened:
            held = json.loads(opened.read(_MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(held, dict):
        return {}
    version = held.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise _Unreadable
    return rows_of(held.get("rows"))


def rows_of(found: Any) -> Rows:
    """Rows as they are written; what is none of ours counts nothing."""
    rows: Rows = {}
    for row in found if isinstance(found, list) else []:
        source, numbers = _row(row)
        for name, number in numbers.items():
            add_to(rows, source, name, number)
    return rows


def _row(row: Any) -> tuple[Source, dict[str, int]]:
    """One row; without numbers where it is not one of ours."""
    nothing: tuple[Source, dict[str, int]] = (Source("", "", "", "", ""), {})
    if not isinstance(row, dict):
        return nothing
    dimensions = [row.get(name) for name in _DIMENSIONS]
    numbers = row.get("numbers")
    if not all(isinstance(each, str) for each in dimensions) or not isinstance(numbers, dict):
        return nothing
    source = Source(*map(str, dimensions))
    return source, {
        name: number
        for name, number in numbers.items()
        if name in NAMES and type(number) is int and number > 0
    }
