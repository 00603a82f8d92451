"""The verdict on a line that still grows, made in the model's pauses.

The token behind a line is often only its end. Then the verdict is there before the end is, and
nobody waits for the parser.
"""

import asyncio
from collections.abc import Callable

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.validators.verdict import Outcome, Verdict

PAUSE_S = 0.002
"""A model that writes nothing for so long, in seconds, is computing its next token."""

_GOES_ON = frozenset("([,.+-*/%=<>&|^~!?@\\")
"""Behind these a line nearly always goes on: not worth a verdict ahead. One that ends so all the
same is judged at its end."""


class Foresight:
    """One text's verdict, ahead of its end. Nothing in it changes what the verdict is."""

    def __init__(self, hole: Hole, cleaned: Callable[[str], str], judging: Judging) -> None:
        """Know nothing yet.

        Args:
            hole: where the text goes.
            cleaned: what is left of what the model wrote, were that all.
            judging: gives verdicts.
        """
        self._hole = hole
        self._cleaned = cleaned
        self._judging = judging
        self._timer: asyncio.TimerHandle | None = None
        self._text = ""
        self._asked: asyncio.Task[Verdict | None] | None = None

    def grew(self, written: str) -> None:
        """The model has written so much, and may write more."""
        self.rest()
        if may_end(written):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PAUSE_S, self._ask, written)

    def rest(self) -> None:
        """Look at nothing until the text has grown again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        """The verdict on a text, as `Judging.verdict`: at once where it was foreseen."""
        self.rest()
        foreseen: Verdict | None = None
        if self._asked is not None and text == self._text:
            foreseen = await asyncio.shield(self._asked)
            if foreseen is not None and foreseen.outcome is Outcome.UNKNOWN:
                foreseen = None  # it may have been the parser's bad moment
        return await self._judging.verdict(hole, text, foreseen)

    def _ask(self, written: str) -> None:
        if self._asked is not None and not self._asked.done():
            return  # it takes longer than a token does
        text = self._cleaned(written)
        if text and text != self._text:
            self._text = text
            self._asked = self._judging.foresee(self._hole, text)


def may_end(written: str) -> bool:
    """Is it likely enough that this is all that the model writes?"""
    if not written or written[-1] in _GOES_ON or written[-1].isspace():
        return False
    return all(written.count(a) <= written.count(b) for a, b in ("()", "[]"))
