"""Scripted servers for the protocol's tests, and the watch over every server's sockets."""

import ast
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SCRIPTED, SECONDS, Editor, editor, environment, homes

HERE = frozenset(("127.0.0.1", "::1", "localhost"))
"""What any server of a test may ask for."""


class Connections:
    """The addresses that processes of a test have asked for, in order, each as often as it was."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._seen = 0

    def new(self) -> list[tuple[object, object]]:
        """Host and port of each since the last look."""
        text = self.file.read_bytes() if self.file.exists() else b""
        lines, self._seen = text[self._seen :].decode().splitlines(), len(text)
        return [ast.literal_eval(line) for line in lines]


@pytest.fixture(scope="session")
def connections(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connections]:
    """Where all servers of all tests connect to: module-wide ones too."""
    found = Connections(tmp_path_factory.mktemp("sockets") / "connections")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONNECTIONS", str(found.file))
        yield found


@pytest.fixture(autouse=True)
def only_this_machine(connections: Connections) -> Iterator[None]:
    """Invariant 2 in every test here: no server connects, or looks up, anything but loopback."""
    connections.new()
    yield
    elsewhere = {address for address in connections.new() if address[0] not in HERE}
    assert not elsewhere, f"a server asked for {elsewhere}"


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
