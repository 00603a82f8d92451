"""What the parser process holds of the open buffers, and what it must be told before it can judge.

Edits are kept here until somebody needs them in the parser: a burst of keystrokes is one update.
A process that was killed has lost all; the text is then taken from its source again, and only then
does a request cost what the buffer holds.
"""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from synconfroute.validators.admission import MAX_BYTES, TOO_LARGE
from synconfroute.validators.line_text import TO_THE_END, Splice

QUIET_S = 0.15
"""A buffer is parsed when it has not changed for so long, in seconds, or is asked about."""

MOST_BUFFERS = 32
MOST_CHARACTERS = 3_000_000
"""The parser process holds no more than these; buffers that were not used for longest go first.
Real code of so many characters takes 60 (Python) to 130 MB (C++) there."""

_ENDED = "the parser process ended over this buffer a moment ago"

_MOST_EDITS = 200
"""A buffer with more edits that nobody asked about is sent anew when it is needed."""

_REST_S = 1.0
_MOST_REST_S = 64.0
"""A buffer that ended the parser process is not shown to one for so long, in seconds: the first
time, and at most, since the time doubles with each."""


class Source(Protocol):
    """A buffer as its owner keeps it."""

    @property
    def text(self) -> str:
        """All of it."""
        ...

    @property
    def size(self) -> int:
        """How many characters it has; costs nothing."""
        ...

    @property
    def revision(self) -> int:
        """Grows with each edit."""
        ...


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in an open buffer an insertion goes.

    Attributes:
        key: the buffer's.
        revision: the buffer's when the spot was chosen.
        line: counted from 0.
        character: counted from 0, in code points.
        lead: what is inserted before the text that is judged.
    """

    key: str
    revision: int
    line: int
    character: int
    lead: str = ""


@dataclass(slots=True, eq=False)
class _Record:
    """One open buffer.

    Attributes:
        number: its name in the parser process.
        holder: the generation of the process that holds it, up to `edits`; 0: none.
        text: all of it, where no process holds it and it is to be sent.
        edits: what came since.
        due: when it is parsed unasked; None where there is nothing to parse.
        failures: processes that it ended, one after the other.
        rests_until: it is not sent before.
    """

    number: int
    language: str
    source: Source
    revision: int
    holder: int = 0
    text: str | None = None
    edits: list[Splice] = field(default_factory=list)
    due: float | None = None
    failures: int = 0
    rests_until: float = 0.0

    def lose(self) -> None:
        """No process holds it, and nothing is ready to be sent."""
        self.holder, self.text, self.due = 0, None, None
        self.edits.clear()


class Mirror:
    """All open buffers. Their owner's thread and that of the parser process may both call it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know no buffer yet.

        Args:
            clock: seconds.
        """
        self._clock = clock
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}  # the one used last stands last
        self._numbers = itertools.count(1)
        self._dropped: list[int] = []

    def open(self, key: str, language: str, source: Source) -> None:
        """Take note of a buffer; one of the same key is replaced."""
        record = _Record(next(self._numbers), language, source, source.revision)
        with self._lock:
            self._forget(key)
            self._records[key] = record
            self._read(record)

    def edit(self, key: str, splice: Splice) -> None:
        """Take note of an edit that the source has made already. Costs what it touches."""
        with self._lock:
            record = self._records.get(key)
            if record is None:
                return
            record.revision = record.source.revision
            if not record.holder and record.text is None:
                return
            _append(record.edits, splice)
            record.due = self._clock() + QUIET_S
            characters = sum(len(edit.text) for edit in record.edits)
            if len(record.edits) > _MOST_EDITS or characters > MAX_BYTES:
                record.lose()

    def close(self, key: str) -> None:
        """Forget a buffer."""
        with self._lock:
            self._forget(key)

    def known(self, spot: Spot) -> bool:
        """Is the buffer open, and as it was when the spot was chosen?"""
        with self._lock:
            record = self._records.get(spot.key)
            return record is not None and record.revision == spot.revision

    def obstacle(self, key: str) -> str | None:
        """Why an open buffer cannot be judged now, not even as a whole: one sentence, or None."""
        with self._lock:
            record = self._records.get(key)
            if record is None:
                return None
            if record.source.size > MAX_BYTES:
                return TOO_LARGE
            return _ENDED if self._clock() < record.rests_until else None

    def recover(self, key: str, generation: int) -> bool:
        """Read the source again if the process of this generation has lost the buffer.

        To be called in the owner's thread. False: the buffer cannot be judged now.
        """
        with self._lock:
            record = self._records.get(key)
            if record is None or self._clock() < record.rests_until:
                return False
            if record.text is None and record.holder != generation:
                self._read(record)
            return bool(record.holder or record.text is not None)

    def take(self, key: str, generation: int) -> dict[str, Any] | None:
        """What the process of this generation must be told before it can judge; None: it cannot.

        An empty message: nothing. What is taken counts as told.
        """
        with self._lock:
            record = self._records.get(key)
            if record is None or self._clock() < record.rests_until:
                return None
            if record.text is None and record.holder != generation:
                record.lose()
                return None
            self._records[key] = self._records.pop(key)
            record.due = None
            if record.text is None and not record.edits:
                return {}
            message = {
                "buffer": record.number,
                "language": record.language,
                "text": record.text,
                "edits": list(record.edits),
            }
            record.holder, record.text = generation, None
            record.edits.clear()
            self._make_room()
            message["drop"], self._dropped = self._dropped, []
            return message

    def question(self, spot: Spot, text: str) -> dict[str, Any]:
        """What the process is asked about a text at a spot, once it was told what `take` says."""
        with self._lock:
            record = self._records.get(spot.key)
        return {
            "buffer": 0 if record is None else record.number,
            "line": spot.line,
            "character": spot.character,
            "text": spot.lead + text,
        }

    def failed(self, key: str) -> None:
        """The process ended while it was at this buffer: spare the next one."""
        with self._lock:
            if (record := self._records.get(key)) is not None:
                record.lose()
                rest = min(_REST_S * 2**record.failures, _MOST_REST_S)
                record.rests_until = self._clock() + rest
                record.failures += 1

    def judged(self, key: str) -> None:
        """The process has lived through a judgement in this buffer."""
        with self._lock:
            if (record := self._records.get(key)) is not None:
                record.failures = 0

    def due(self) -> tuple[str | None, float | None]:
        """A buffer that is to be parsed now, or else the seconds until one is; None: none is."""
        now = self._clock()
        with self._lock:
            waiting = [(rec.due, key) for key, rec in self._records.items() if rec.due is not None]
        if not waiting:
            return None, None
        when, key = min(waiting)
        return (key, 0.0) if when <= now else (None, when - now)

    def _read(self, record: _Record) -> None:
        record.lose()
        if record.source.size <= MAX_BYTES:
            record.text = record.source.text
            record.due = self._clock() + QUIET_S

    def _forget(self, key: str) -> None:
        record = self._records.pop(key, None)
        if record is not None and record.holder:
            self._dropped.append(record.number)

    def _make_room(self) -> None:
        """Have the process drop what is beyond the limits, but never the buffer used last."""
        held = [record for record in self._records.values() if record.holder]
        count, characters = len(held), sum(record.source.size for record in held)
        for record in held[:-1]:
            if count <= MOST_BUFFERS and characters <= MOST_CHARACTERS:
                return
            self._dropped.append(record.number)
            record.lose()
            count -= 1
            characters -= record.source.size


def _append(edits: list[Splice], splice: Splice) -> None:
    """Add an edit; typing on in the line of the last edit makes one of the two."""
    if splice.stop >= TO_THE_END and not splice.first:
        edits.clear()
    if edits and _one_line(edits[-1]) and _one_line(splice) and edits[-1].first == splice.first:
        edits[-1] = splice
    else:
        edits.append(splice)


def _one_line(splice: Splice) -> bool:
    """Does the edit put one line in the place of one?"""
    end = splice.text.find("\n")
    return (
        splice.stop == splice.first + 1
        and "\r" not in splice.text
        and end in {-1, len(splice.text) - 1}
    )
