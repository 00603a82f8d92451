"""The editor's settings: sent at the start, asked for, or told when they change.

What comes from the editor counts as the user's own. Which of an editor's settings a workspace may
set is for the editor, and our extension for it, to decide.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from synconfroute.server.protocol.client import Client
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.logs import logger
from synconfroute.server.settings.keys import SECTIONS
from synconfroute.server.settings.sources import Source, from_table

SECTION = "synconfroute"
"""What our settings are called in an editor that has others, too."""

_OF_THE_EDITOR = ("server", "trace")
"""Sections that editors' own parts keep under the same name."""

_PATIENCE_S = 1.0
"""So long the first completion's preparation waits for an editor that was asked, in seconds."""


class Configuration:
    """What the editor says, from all the ways in which it says it."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[Any]],
        register: Callable[[], Awaitable[Any]],
        apply: Callable[[dict[str, Any]], None],
    ) -> None:
        """Take over how the editor is reached.

        Args:
            ask: asks it for the settings of our section.
            register: asks it to tell when they change.
            apply: takes all settings that the editor now gives, by dotted names.
        """
        self._ask = ask
        self._register = register
        self._apply = apply
        self._asks = False
        self._options: dict[str, Any] = {}
        self._told: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, client: Client) -> None:
        """Ask, where the editor answers, and wait for the answer a moment. Raises nothing."""
        self._options = _flat(client.options)
        self._asks = client.answers_configuration
        if client.registers_configuration:
            self._begin(self._register())
        if self._asks:
            await asyncio.wait({self._begin(self._pull())}, timeout=_PATIENCE_S)

    def changed(self, pushed: Any) -> None:
        """The editor says that settings changed, and perhaps which. To be asked is surer."""
        if self._asks:
            self._begin(self._pull())
        else:
            self._take(_ours(pushed))

    async def _pull(self) -> None:
        answer = await self._ask()
        self._take(answer[0] if isinstance(answer, list | tuple) and answer else None)

    def _take(self, given: Any) -> None:
        """Settings that were told once are the editor's from then on: gone means not set."""
        if not isinstance(given, Mapping):
            return
        told = _flat(given)
        self._told |= told.keys()
        kept = {name: value for name, value in self._options.items() if name not in self._told}
        self._apply(kept | told)

    def _begin(self, work: Awaitable[Any]) -> "asyncio.Task[None]":
        """In a task of its own, never cancelled: a late answer would then be a fault."""
        task = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _logged(work: Awaitable[Any]) -> None:
    try:
        await work
    except Exception as error:
        logger.warning("The editor did not answer about its settings: %s", describe(error))


def _ours(pushed: Any) -> Any:
    """Our part of what an editor pushes: its section, or all, where no section is named."""
    if not isinstance(pushed, Mapping):
        return None
    if SECTION in pushed:
        return pushed[SECTION]
    known = any(str(name).partition(".")[0] in SECTIONS for name in pushed)
    return pushed if known else None


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    return {
        each.name: each.value
        for each in from_table(table, Source.EDITOR, "the editor")
        if each.name.partition(".")[0] not in _OF_THE_EDITOR
    }
