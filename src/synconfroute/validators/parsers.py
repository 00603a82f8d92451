"""Parser processes that the sessions of one server share.

A process for each of hundreds of sessions would take gigabytes; one for all of them could not hold
their buffers, and a hostile buffer would cost all of them their parser.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Source, Spot
from synconfroute.validators.validator import Validator
from synconfroute.validators.verdict import Verdict

MOST_SESSIONS = 16
"""Of so many sessions, at most, one process holds the buffers: `mirror.MOST_CHARACTERS` is then
room for two files of 1,500 lines of each."""


@dataclass(slots=True, eq=False)
class _Shared:
    """One process, and who uses it."""

    validator: Validator
    sessions: set[int] = field(default_factory=set)


class Parsers:
    """Hands out shares. A process ends when its last session has left."""

    def __init__(self, make: Callable[[], Validator] = Validator) -> None:
        """Start nothing yet; `make` makes what has a process of its own."""
        self._make = make
        self._lock = threading.Lock()
        self._shared: list[_Shared] = []
        self._count = 0

    def join(self) -> "Share":
        """A share for one more session, of the process that fewest use."""
        with self._lock:
            self._count += 1
            number = self._count
            shared = min(self._shared, key=lambda each: len(each.sessions), default=None)
            if shared is None or len(shared.sessions) >= MOST_SESSIONS:
                shared = _Shared(self._make())
                self._shared.append(shared)
            shared.sessions.add(number)
        return Share(shared.validator, number, lambda: self._leave(shared, number))

    def _leave(self, shared: _Shared, number: int) -> None:
        with self._lock:
            if number not in shared.sessions:
                return
            shared.sessions.discard(number)
            if shared.sessions:
                return
            self._shared.remove(shared)
        shared.validator.close()


class Share:
    """A `Validator` for one session: its buffers are its own, its process is not."""

    def __init__(self, validator: Validator, number: int, leave: Callable[[], None]) -> None:
        """Made by `Parsers.join`."""
        self._validator = validator
        self._number = number
        self._leave = leave
        self._keys: set[str] = set()

    @property
    def pid(self) -> int | None:
        """The process id of the parser, or None where none runs."""
        return self._validator.pid

    def warm(self) -> None:
        """See `Validator.warm`."""
        self._validator.warm()

    async def validate(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        deadline: float,
        path: str | None = None,
        before: str | None = None,
    ) -> Verdict:
        """See `Validator.validate`."""
        return await self._validator.validate(
            language, prefix, text, suffix, deadline=deadline, path=path, before=before
        )

    def open(self, key: str, language: str, source: Source) -> None:
        """See `Validator.open`."""
        self._keys.add(key)
        self._validator.open(self._own(key), language, source)

    def edit(self, key: str, splice: Splice) -> None:
        """See `Validator.edit`."""
        self._validator.edit(self._own(key), splice)

    def forget(self, key: str) -> None:
        """See `Validator.forget`."""
        self._keys.discard(key)
        self._validator.forget(self._own(key))

    def prepare(self, spot: Spot) -> None:
        """See `Validator.prepare`."""
        self._validator.prepare(self._placed(spot))

    async def judge(self, spot: Spot, text: str, *, deadline: float) -> Verdict | None:
        """See `Validator.judge`."""
        return await self._validator.judge(self._placed(spot), text, deadline=deadline)

    def close(self) -> None:
        """Forget this session's buffers; the process ends with the last of its sessions."""
        for key in tuple(self._keys):
            self.forget(key)
        self._leave()

    def _own(self, key: str) -> str:
        return f"{self._number} {key}"

    def _placed(self, spot: Spot) -> Spot:
        return Spot(self._own(spot.key), spot.revision, spot.line, spot.character, spot.lead)
