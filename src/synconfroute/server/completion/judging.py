"""What inserting a candidate does to the buffer: in the followed buffer, else by its text."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from synconfroute.server.completion.hole import Hole
from synconfroute.validators.mirror import Spot
from synconfroute.validators.verdict import Verdict, unknown

Confirm = Callable[[Hole, str, Verdict], Awaitable[Verdict]]
"""A second opinion on a text in a hole, given the first verdict."""


class Validator(Protocol):
    """Judges what inserting a text does to a buffer, in another process."""

    async def validate(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        path: str | None = None,
        deadline: float,
    ) -> Verdict:
        """The verdict, within `deadline` seconds, else unknown."""
        ...

    def prepare(self, spot: Spot) -> None:
        """Parse a followed buffer ahead of need."""
        ...

    async def judge(self, spot: Spot, text: str, *, deadline: float) -> Verdict | None:
        """The verdict in a followed buffer; None: only the whole text can tell."""
        ...


class Judging:
    """Verdicts on candidates."""

    def __init__(
        self, validator: Validator, deadline: float, confirm: Confirm | None = None
    ) -> None:
        """Judge by a validator, each time within `deadline` seconds; `confirm` takes its own."""
        self._validator = validator
        self._deadline = deadline
        self._confirm = confirm
        self._foreseeing: set[asyncio.Task[Verdict | None]] = set()  # a loop holds tasks weakly

    def prepare(self, hole: Hole) -> None:
        """Have the hole's buffer parsed while the model decodes."""
        if hole.spot is not None:
            self._validator.prepare(hole.spot)

    def foresee(self, hole: Hole, text: str) -> "asyncio.Task[Verdict | None]":
        """Ask the parser about a text that may come; None: only the whole buffer can tell.

        It is not to be cancelled: a parser that is broken off has to be started anew.
        """
        task = asyncio.ensure_future(self._followed(hole, text))
        self._foreseeing.add(task)
        task.add_done_callback(self._foreseeing.discard)
        return task

    async def verdict(self, hole: Hole, text: str, foreseen: Verdict | None = None) -> Verdict:
        """Say what inserting the text in the hole does to the buffer.

        Args:
            hole: where.
            text: what.
            foreseen: the parser's verdict, where it was asked ahead.
        """
        verdict = foreseen or await self._parsed(hole, text)
        return verdict if self._confirm is None else await self._confirm(hole, text, verdict)

    async def _followed(self, hole: Hole, text: str) -> Verdict | None:
        if hole.spot is None:
            return None
        return await self._validator.judge(hole.spot, text, deadline=self._deadline)

    async def _parsed(self, hole: Hole, text: str) -> Verdict:
        verdict = await self._followed(hole, text)
        if verdict is not None:
            return verdict
        if not hole.whole:
            return unknown("The file is too large to be parsed in time.")
        return await self._validator.validate(
            hole.language,
            hole.prefix,
            text,
            hole.suffix,
            path=hole.path,
            deadline=self._deadline,
        )
