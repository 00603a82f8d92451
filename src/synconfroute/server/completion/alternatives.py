"""Further texts for one place, where the user asks for them: drawn from the local model by chance.

The editor gets one answer for its request, so the first text waits for the others, and they get
little time. The seeds are fixed: the same place gets the same texts.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from synconfroute.server.completion.answer import Answer, Reason
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.local_answers import Draw

TEMPERATURE = 0.8
"""Low enough for code that parses, high enough for a second idea."""
_TRIES = 2
"""Draws for each text wanted: some come out like another one, or break the buffer."""


class Alternatives:
    """Draws texts beside a first one."""

    def __init__(
        self, draw: Callable[[Hole, int, Draw], Awaitable[Answer]], *, most: int, seconds: float
    ) -> None:
        """Draw by `draw`, which is given the hole and the text's number.

        Args:
            draw: answers without a text where what it drew is of no use.
            most: how many texts beside the first; 0: none.
            seconds: the longest time for all of them; what is not there by then is given up.
        """
        self._draw = draw
        self._most = most
        self._seconds = seconds

    async def beside(self, hole: Hole, first: Answer) -> Answer:
        """The answer with what could be drawn beside it, all different but for white space.

        Where it shows nothing, what was drawn first takes its place. Nothing is drawn where it
        failed, or was so long in the writing that no further text would be there in time.
        """
        if first.provenance.reason is Reason.ERROR or _writing(first) >= self._seconds:
            return first
        texts = {_shape(first): first} if first.text else {}
        wanted = len(texts) + self._most
        try:
            async with asyncio.timeout(self._seconds):
                for seed in range(1, self._most * _TRIES + 1):
                    if len(texts) == wanted:
                        break
                    drawn = await self._draw(hole, seed, Draw(TEMPERATURE, seed))
                    if drawn.provenance.reason is Reason.ERROR:
                        break
                    if drawn.text:
                        texts.setdefault(_shape(drawn), drawn)
        except TimeoutError:
            pass
        found = [*texts.values()]
        return replace(found[0], others=tuple(found[1:])) if found else first


def _writing(answer: Answer) -> float:
    """How long the local model wrote, without reading the prompt, in seconds; 0 if unknown."""
    timings = answer.provenance.timings_ms
    return (timings.get("local", 0.0) - timings.get("local_first_token", 0.0)) / 1000


def _shape(answer: Answer) -> str:
    return " ".join((answer.text or "").split())
