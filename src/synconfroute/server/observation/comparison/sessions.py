"""What each session of a comparison came to: one small file a session, in a folder an arm.

A file holds numbers, a day and the planned number of sessions. Its name is random: it says nothing
of who, where or when, and only keeps a session from being counted twice.
"""

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from synconfroute.server.completion.counts import BOUNDS_MS, Event, Wait
from synconfroute.server.completion.whole_file import replace_file
from synconfroute.server.places import counts_folder

FORMAT = 1
"""Of a file. What a newer version wrote is not read."""
NAMES = frozenset(
    [
        Event.ASKED, Event.SENT, Event.SHOWN, Event.ACCEPTED, Event.KEPT, Event.GONE,
        *(f"{Wait.MODEL} {bound}" for bound in BOUNDS_MS),
    ]
)  # fmt: skip
"""What of the counts is kept by session."""
MOST_SESSIONS = 20_000
"""So many are read at most."""

_MOST_BYTES = 20_000
_ARM = re.compile(r"(paper|evidence|score)(-[01]\.[0-9]{3})?")
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Session:
    """What one session came to.

    Attributes:
        id: 16 random hexadecimal digits.
        arms: the two rules that were compared, in the order of the settings.
        arm: the one that this session worked with.
        planned: so many sessions were planned, over both.
        day: when it began, UTC.
        numbers: counts, by names in `NAMES`.
    """

    id: str
    arms: tuple[str, str]
    arm: str
    planned: int
    day: date
    numbers: dict[str, int]


def new_id() -> str:
    """The id of a new session."""
    return secrets.token_hex(8)


def how_many(arms: tuple[str, str], folder: Path | None = None) -> tuple[int, int]:
    """So many sessions were counted with each of two arms. Raises nothing."""
    first, second = (len(_files_in(_folder_of(arms, arm, folder))) for arm in arms)
    return first, second


def write_session(session: Session, folder: Path | None = None) -> bool:
    """Write what a session came to so far, in the place of what was written of it before."""
    where = _folder_of(session.arms, session.arm, folder)
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(where / f"{session.id}.json", json.dumps(as_json(session)))
    except OSError:
        return False
    return True


def read_sessions(folder: Path | None = None) -> list[Session]:
    """All sessions, in no particular order. What is no session of ours is passed over."""
    found: list[Session] = []
    for file in _every_file(folder):
        if len(found) >= MOST_SESSIONS:
            break
        try:
            with file.open("rb") as opened:
                held = json.loads(opened.read(_MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            continue
        session = from_json(held)
        if session is not None and session.id == file.stem:
            found.append(session)
    return found


def as_json(session: Session) -> dict[str, Any]:
    """A session as it is written and exported."""
    return {
        "format": FORMAT,
        "id": session.id,
        "arms": list(session.arms),
        "arm": session.arm,
        "planned": session.planned,
        "day": session.day.isoformat(),
        "numbers": session.numbers,
    }


def from_json(held: Any) -> Session | None:
    """A session that was written so; None of all else."""
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        return None
    arms, planned, numbers = held.get("arms"), held.get("planned"), held.get("numbers")
    if not isinstance(arms, list) or len(arms) != 2 or len(set(map(str, arms))) != 2:
        return None
    if not all(isinstance(arm, str) and _ARM.fullmatch(arm) for arm in arms):
        return None
    name, arm = held.get("id"), held.get("arm")
    if not isinstance(name, str) or not _ID.fullmatch(name) or arm not in arms:
        return None
    if type(planned) is not int or planned < 1 or not isinstance(numbers, dict):
        return None
    try:
        day = date.fromisoformat(str(held.get("day")))
    except ValueError:
        return None
    kept = {
        name: number
        for name, number in numbers.items()
        if name in NAMES and type(number) is int and 0 < number < 1_000_000_000
    }
    return Session(name, (arms[0], arms[1]), str(arm), planned, day, kept)


def _folder_of(arms: tuple[str, str], arm: str, folder: Path | None) -> Path:
    return (folder or counts_folder()) / "sessions" / "+".join(arms) / arm


def _every_file(folder: Path | None) -> Iterator[Path]:
    root = (folder or counts_folder()) / "sessions"
    try:
        yield from sorted(root.glob("*/*/*.json"))
    except OSError:
        return


def _files_in(folder: Path) -> list[Path]:
    try:
        return list(folder.glob("*.json"))
    except OSError:
        return []
