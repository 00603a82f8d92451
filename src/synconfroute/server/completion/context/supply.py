"""What of other files goes into the prompts at a place: what is ready, and nothing else.

It is looked for beside the typing, when the cursor has left its line, or now and then.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from synconfroute.server.completion.context.open_documents import Followed, OpenDocuments
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.question import Question
from synconfroute.server.completion.context.reading import Reading
from synconfroute.server.completion.context.standing import Standing
from synconfroute.server.completion.context.words import names, plain
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Context
from synconfroute.validators.line_text import Splice

MOST_DOCUMENTS = 32
"""Of so many documents it is remembered what stands in their prompts."""

LOOK_S = 10.0
"""On the same line it is looked again after so long, in seconds."""
_PAUSE_S = 0.3
_REST_S = 2.0
_MOST_REST_S = 128.0
"""A document at which the reader failed rests for so long, in seconds: the first time, and at
most, since the time doubles with each."""

_LINE = 500
"""Characters of the line before the cursor whose names count."""
_HEAD, _BEFORE, _BEHIND = 32 * 1024, 96 * 1024, 64 * 1024
"""What of a document the reader is shown, in characters: its head, where the imports are; what
stands before the cursor, and behind it."""


@dataclass(slots=True)
class _Known:
    """What is known of one document.

    Attributes:
        line: the cursor's when it was last looked, and when that was.
        pending: what the reader is at.
        failures: how often it failed here, one after the other.
        rests_until: it is not asked before.
    """

    standing: Standing = field(default_factory=Standing)
    line: int = -1
    looked: float = float("-inf")
    pending: "Future[list[Piece]] | None" = None
    failures: int = 0
    rests_until: float = float("-inf")


class Supply:
    """Pieces of other files, for all documents. All methods belong to the event loop's thread."""

    def __init__(
        self,
        settings: Context,
        *,
        reading: Reading | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start nothing yet.

        Args:
            settings: whether, how many tokens, and how long a request may wait.
            reading: asks the reader's process, where it is not the usual one.
            clock: seconds.
        """
        self._settings = settings
        self._reading = reading or Reading()
        self._clock = clock
        self._roots: tuple[str, ...] = ()
        self._documents = OpenDocuments()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def folders(self, roots: Iterable[Path]) -> None:
        """Files of these folders, and of no other, may become context."""
        self._roots = tuple(str(root) for root in roots)
        self._known.clear()

    def open(self, key: str, source: Followed) -> None:
        """There is this document; one of the same key is replaced."""
        if self._settings.enabled:
            self._documents.open(key, source)

    def edit(self, key: str, splice: Splice) -> None:
        """The document has changed so. Costs what the edit touches."""
        self._documents.edit(key, splice)

    def forget(self, key: str) -> None:
        """There is no such document any more."""
        self._documents.forget(key)
        self._known.pop(key, None)

    def warm(self) -> None:
        """Start the reader's process. Returns at once."""
        if self._settings.enabled:
            self._reading.warm()

    async def pieces(self, hole: Hole) -> tuple[Piece, ...]:
        """What of other files goes into a prompt for this hole, the most useful first.

        It waits only where nothing is known of the document yet, for `context.deadline_ms` at most.
        """
        return await self._pieces(hole, self._settings.deadline_ms / 1000)

    async def gathered(self, hole: Hole, seconds: float) -> None:
        """Wait until it is known what may help here, for so many seconds at most."""
        await self._pieces(hole, seconds)

    def close(self) -> None:
        """End the reader's process."""
        self._reading.close()

    async def _pieces(self, hole: Hole, seconds: float) -> tuple[Piece, ...]:
        if not (self._settings.enabled and self._roots and hole.path):
            return ()
        self._documents.use(hole.uri)
        known = self._of(hole.uri)
        self._take(known)
        self._look(hole, known)
        if known.pending is not None and not known.standing.candidates:
            await _done(known.pending, seconds)
            self._take(known)
        named = frozenset(map(plain, names(hole.left[-_LINE:])))
        tokens, now = self._settings.tokens, self._clock()
        known.standing = known.standing.for_line(named, tokens=tokens, now=now)
        return known.standing.pieces

    def _of(self, key: str) -> _Known:
        known = self._known.setdefault(key, _Known())
        self._known.move_to_end(key)
        while len(self._known) > MOST_DOCUMENTS:
            self._known.popitem(last=False)
        return known

    def _look(self, hole: Hole, known: _Known) -> None:
        """Ask the reader, if the cursor has left its line, or the last look was long ago."""
        now = self._clock()
        line = hole.prefix.count("\n") if hole.spot is None else hole.spot.line
        due = now - known.looked >= (LOOK_S if line == known.line else _PAUSE_S)
        if known.pending is None and due and now >= known.rests_until:
            known.line, known.looked = line, now
            known.pending = self._reading.ask(self._question(hole))

    def _take(self, known: _Known) -> None:
        """What the reader has answered meanwhile, if it has."""
        answered = known.pending
        if answered is None or not answered.done():
            return
        known.pending = None
        now = self._clock()
        if answered.exception() is not None:
            known.rests_until = now + min(_REST_S * 2**known.failures, _MOST_REST_S)
            known.failures += 1
            return
        known.failures = 0
        tokens = self._settings.tokens
        known.standing = known.standing.with_candidates(answered.result(), tokens=tokens, now=now)

    def _question(self, hole: Hole) -> Question:
        prefix = hole.prefix
        if len(prefix) > _HEAD + _BEFORE:
            prefix = f"{prefix[:_HEAD]}\n{prefix[-_BEFORE:]}"
        shown = self._documents.beside(hole.uri)
        path = hole.path or ""
        return Question(hole.language, path, prefix, hole.suffix[:_BEHIND], self._roots, shown)


async def _done(answered: "Future[list[Piece]]", seconds: float) -> None:
    """Wait until it is, for so many seconds at most; it goes on if nobody waits any more."""
    waited = asyncio.wrap_future(answered)
    waited.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait([waited], timeout=seconds)
