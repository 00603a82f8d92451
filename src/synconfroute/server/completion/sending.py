"""A request's way, as the ledger has it: a line before it leaves, and one when it has ended."""

import asyncio
import re
from collections.abc import Callable

from synconfroute.server.completion.generation import Draft, Generation
from synconfroute.server.completion.ledger import Entry, Ledger, Sent


class Sending:
    """Requests on their way: each gets a line before it leaves, and one when it has ended.

    Attributes:
        generation: the answer to the last of them, once it has begun.
    """

    def __init__(
        self, ledger: Ledger, clock: Callable[[], float], on_leaving: Callable[[], None]
    ) -> None:
        self._on_leaving = on_leaving
        self._ledger = ledger
        self._clock = clock
        self._sent: Sent | None = None
        self._since = 0.0
        self.generation: Generation | None = None

    def record(self, entry: Entry) -> None:
        """Write the line of a request that is about to leave; one before it was in vain."""
        self._end("asked_anew")
        self._sent, self._since = self._ledger.record(entry), self._clock()
        self._on_leaving()

    @property
    def tokens(self) -> int:
        """So many have come of the answer."""
        return 0 if self.generation is None else len(self.generation.draft.tokens)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        self._end("answered" if error is None else _status(error))

    def _end(self, status: str) -> None:
        if self._sent is None:
            return
        draft = Draft() if self.generation is None else self.generation.draft
        self._ledger.ended(
            self._sent,
            status,
            ms=(self._clock() - self._since) * 1000,
            tokens=self.tokens,
            model=draft.model,
        )
        self._sent = None


def _status(error: BaseException) -> str:
    """How a request ended that was not answered, such as "late" or "key_refused"."""
    match error:
        case TimeoutError():
            return "late"
        case asyncio.CancelledError():
            return "cancelled"
        case _:
            return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
