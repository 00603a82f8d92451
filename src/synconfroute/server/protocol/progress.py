"""What takes long, shown by the editor (LSP, "Work Done Progress")."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from lsprotocol import types

from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.logs import logger

_NUMBERS = count(1)

LOAD_S = 1.0
"""A first answer that takes longer is waiting for its model to be loaded, in seconds."""


class Progress:
    """Shows work in editors that can; elsewhere it does nothing."""

    def __init__(
        self,
        create: Callable[[str], Awaitable[Any]],
        send: Callable[[str, Any], None],
        load_s: float = LOAD_S,
    ) -> None:
        """Take over how the editor is reached.

        Args:
            create: asks the editor for room, under a token.
            send: sends what is to be shown there.
            load_s: a first answer that takes longer is shown, in seconds.
        """
        self._create = create
        self._send = send
        self._load_s = load_s
        self._waiting = 0
        self._loading: _Shown | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self.wanted = False
        self.loaded = False

    @contextmanager
    def working(self, title: str) -> Iterator[None]:
        """Show this title while the work runs."""
        shown = self._show(title) if self.wanted else None
        try:
            yield
        finally:
            if shown is not None:
                shown.end()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While a completion is awaited; shown if it is the first, and takes long."""
        self._waiting += 1
        if self.wanted and not self.loaded and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._load_s, self._load)
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._end_loading()

    def _load(self) -> None:
        self._loading = self._show("Loading the local model")

    def _end_loading(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._loading is not None:
            self._loading.end()
            self._loading = None

    def _show(self, title: str) -> "_Shown":
        shown = _Shown(self._create, self._send)
        task = asyncio.ensure_future(shown.begin(title))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return shown


class _Shown:
    """One piece of work."""

    def __init__(
        self, create: Callable[[str], Awaitable[Any]], send: Callable[[str, Any], None]
    ) -> None:
        self._create = create
        self._send = send
        self._token = f"synconfroute-{next(_NUMBERS)}"
        self._begun = self._ended = False

    async def begin(self, title: str) -> None:
        """Show it once the editor has made room. Never cancelled: the editor's answer may come."""
        try:
            await self._create(self._token)
        except Exception as error:
            logger.info("The editor shows no progress: %s", describe(error))
            return
        if not self._ended:
            self._begun = True
            self._send(self._token, types.WorkDoneProgressBegin(title=title, cancellable=False))

    def end(self) -> None:
        """Show it no more."""
        self._ended = True
        if self._begun:
            self._send(self._token, types.WorkDoneProgressEnd())
