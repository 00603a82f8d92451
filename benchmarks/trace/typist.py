"""Somebody who types a text in an editor, and takes what the editor shows where it fits.

The rule: a shown text is read for `READ_S` while the typing goes on. What is typed along it takes
nothing from that time. Then, if all of it is what is to come, it is taken whole; else its first
line is, if that is what is to come. It must be `WORTH` characters long, as it stands then. Nothing
is taken while a slip stands uncorrected. What is not taken is typed.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from benchmarks.trace.strokes import Plan, Stroke

READ_S = 0.3
"""So long somebody looks at a shown text before it is taken, in seconds."""
WORTH = 3
"""Fewer visible characters are typed sooner than taken."""
_LOOK_S = 0.008
"""The editor is looked at so often, in seconds."""
_SAME_S = 0.5
"""A text that is back after so long is the one that was being read, in seconds."""


class Part(StrEnum):
    """What is taken of a shown text."""

    WHOLE = "whole"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Seen:
    """What an editor shows from a moment on.

    Attributes:
        at: seconds of the machine's monotonic clock.
        left: what stands left of the cursor then, from the passage's beginning.
        text: what is shown behind it; "" for nothing.
    """

    at: float
    left: str
    text: str


class Editor(Protocol):
    """An editor with the passage's file open and the cursor where its text goes."""

    def type(self, text: str) -> None:
        """Insert a character, or a line break with the indentation behind it."""

    def erase(self) -> None:
        """A step back."""

    def take(self, shown: str, part: Part) -> None:
        """Take what is shown, or its first line; in the document when this returns."""

    def look(self) -> Sequence[Seen]:
        """What was shown since the last look, in order."""

    def left(self) -> str:
        """What stands left of the cursor, from the passage's beginning."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A text that was taken.

    Attributes:
        at: seconds of the machine's monotonic clock.
        left: what stood left of the cursor.
        text: what was inserted.
    """

    at: float
    left: str
    text: str


@dataclass(slots=True)
class Log:
    """What happened in a session.

    Attributes:
        keys: when each key was struck, and when each text was taken, with what stood left of the
            cursor after it.
        seen: each text that was shown, when it came first; not what was left of one before it.
        taken: what was taken.
        seconds: how long it all took.
    """

    keys: list[tuple[float, str]] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(slots=True)
class _Reading:
    """The text that is being read.

    Attributes:
        whole: what it is with all that stands left of it.
        text: what of it is shown now; "" for nothing.
        since: when it was shown first.
        last: when it was shown last.
    """

    whole: str = ""
    text: str = ""
    since: float = 0.0
    last: float = 0.0

    def sees(self, seen: Seen) -> bool:
        """Take what is shown now; True if it is another text than before."""
        if self.text:
            self.last = seen.at
        before, self.text = self.whole, seen.text
        if not seen.text:
            return False
        self.whole = seen.left + seen.text
        if before == self.whole and seen.at - self.last <= _SAME_S:
            return False
        self.since = self.last = seen.at
        return True


class Typist:
    """Types one plan."""

    def __init__(
        self,
        editor: Editor,
        plan: Plan,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Nothing is typed before `types`.

        Args:
            editor: where.
            plan: what.
            clock: seconds, those that the editor's moments count.
            sleep: waits so many seconds.
        """
        self._editor = editor
        self._plan = plan
        self._clock = clock
        self._sleep = sleep
        self._reading = _Reading()
        self._log = Log()

    def types(self) -> Log:
        """Type it all.

        Raises:
            AssertionError: another text than the plan's stands in the editor.
        """
        begun = self._clock()
        strokes = list(self._plan.begin(0))
        while strokes:
            due = self._log.keys[-1][0] if self._log.keys else begun
            taken = self._takes_before(due + strokes[0].gap)
            if taken:
                strokes = list(self._plan.begin(self._stands()))
            else:
                self._strike(strokes.pop(0))
        left = self._editor.left()
        assert left == self._plan.text, (left, self._plan.text)
        self._log.seconds = self._clock() - begun
        return self._log

    def _takes_before(self, due: float) -> bool:
        """Look at the editor until a key is due; True if something was taken before."""
        while True:
            for seen in self._editor.look():
                if self._reading.sees(seen):
                    self._log.seen.append(seen)
            now = self._clock()
            part = self._wanted(now)
            if part is not None:
                self._take(part)
                return True
            if now >= due:
                return False
            self._sleep(min(_LOOK_S, due - now))

    def _wanted(self, now: float) -> Part | None:
        shown = self._reading.text
        left = self._log.keys[-1][1] if self._log.keys else ""
        if not shown or not self._plan.text.startswith(left):
            return None
        if now - self._reading.since < READ_S or self._reading.whole != left + shown:
            return None
        return wanted(shown, self._plan.text[len(left) :])

    def _take(self, part: Part) -> None:
        before = self._log.keys[-1][1] if self._log.keys else ""
        now = self._clock()
        self._editor.take(self._reading.text, part)
        left = self._editor.left()
        self._log.taken.append(Taken(now, before, left[len(before) :]))
        self._log.keys.append((now, left))
        self._reading.text = ""

    def _strike(self, stroke: Stroke) -> None:
        before = self._log.keys[-1][1] if self._log.keys else ""
        left = before + stroke.text if stroke.text else before[:-1]
        self._log.keys.append((self._clock(), left))
        if stroke.text:
            self._editor.type(stroke.text)
        else:
            self._editor.erase()

    def _stands(self) -> int:
        """How many characters of the text stand, after something was taken."""
        left = self._editor.left()
        assert self._plan.text.startswith(left), (left, self._plan.text)
        return len(left)


def wanted(shown: str, to_come: str) -> Part | None:
    """What of a shown text somebody takes who is about to write `to_come`."""
    if len(shown.strip()) < WORTH:
        return None
    if to_come.startswith(shown):
        return Part.WHOLE
    line = first_line(shown)
    return Part.LINE if len(line.strip()) >= WORTH and to_come.startswith(line) else None


def first_line(shown: str) -> str:
    """A shown text up to the end of its first line that is not blank."""
    start = len(shown) - len(shown.lstrip("\n"))
    end = shown.find("\n", start)
    return shown if end < 0 else shown[:end]
