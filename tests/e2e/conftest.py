"""Scripted servers for the protocol's tests."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SCRIPTED, SECONDS, Editor, editor, environment, homes


class Scripted:
    """Starts scripted servers and tells what their completers did."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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


class Listening(Scripted):
    """One scripted server on a port: a session costs no start of a process."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.process = subprocess.Popen(
            [*SCRIPTED, "--tcp"], env=self.env(), stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def session(self, **more: Any) -> AbstractAsyncContextManager[Editor]:
        """An editor with a session of its own."""
        return editor(SCRIPTED, {}, port=self.port, **more)

    def end(self) -> int:
        """End the process. Returns its exit code."""
        self.process.terminate()
        code = self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    """A scripted server on a port, for all tests of a module."""
    one = Listening(tmp_path_factory.mktemp("listening"))
    yield one
    one.end()


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
