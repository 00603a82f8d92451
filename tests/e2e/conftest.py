"""Scripted servers for the protocol's tests."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SCRIPTED, Editor, editor, environment, homes


class Scripted:
    """Starts scripted servers and tells what their completers did."""

    def __init__(self, folder: Path) -> None:
        self._events = folder / "events"
        self.log_file = folder / "server.log"

    def env(self) -> dict[str, str]:
        """The environment of a scripted server."""
        state = str(self._events.parent)
        return environment(EVENTS=str(self._events), LOG=str(self.log_file), **homes(state))

    def session(self, **more: Any) -> AbstractAsyncContextManager[Editor]:
        """An editor with a scripted server."""
        return editor(SCRIPTED, self.env(), **more)

    def events(self) -> list[str]:
        """What the completer did so far, in order."""
        if not self._events.exists():
            return []
        return self._events.read_text(encoding="utf-8").splitlines()

    def forget_events(self) -> None:
        """Begin anew."""
        self._events.unlink(missing_ok=True)

    def log(self) -> str:
        """The server's log."""
        return self.log_file.read_text(encoding="utf-8")


@pytest.fixture
def scripted(home: Path, tmp_path: Path) -> Scripted:
    """Scripted servers in an empty home."""
    assert home.exists()
    return Scripted(tmp_path)


@pytest.fixture
async def session(scripted: Scripted) -> AsyncIterator[Editor]:
    """An editor with a scripted server."""
    async with scripted.session() as one:
        yield one
