"""However a session ends, no process of it is left: not the server, not what it started."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.e2e.editor import SECONDS, SERVE
from tests.e2e.wire import Wire
from tests.server.command.model_server import ModelServer, serving
from tests.soak.processes import family, server_environment

URI = "file:///work/a.py"
SOURCE = "def add(a, b):\n    return \n"
GONE_S = 15.0
"""Within 2 s where nothing else runs; `tests/fuzz/lsp.py` says how long it was."""


@pytest.fixture
def local() -> Iterator[ModelServer]:
    """A local model."""
    with serving(ModelServer()) as server:
        yield server


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    """The real server, not initialized."""
    with Wire(SERVE, server_environment(tmp_path), tmp_path / "stderr") as one:
        yield one


def begun(wire: Wire, local: ModelServer, **changes: object) -> list[psutil.Process]:
    """Complete something; the server's process and those that it started for that."""
    options = {
        "local": {"provider": "openai", "url": local.url},
        "context": {"enabled": True, "deadline_ms": 5_000},
    }
    wire.initialize(initializationOptions=options, capabilities={}, **changes)
    item = {"uri": URI, "languageId": "python", "version": 1, "text": SOURCE}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 11}}
    wire.send({"jsonrpc": "2.0", "id": 1, "method": "textDocument/inlineCompletion",
               "params": {**place, "context": {"triggerKind": 2}}})  # fmt: skip
    assert wire.answer(1)["result"]["items"]
    everyone = family(wire.process.pid)
    assert len(everyone) >= 3, "the server, its parser process, its reader of other files"
    return everyone


def all_gone(everyone: list[psutil.Process], wire: Wire) -> bool:
    """Does none of them live any more?"""
    wire.process.wait(SECONDS)
    return not psutil.wait_procs(everyone[1:], GONE_S)[1]


def test_a_closed_stdin_ends_all_processes(wire: Wire, local: ModelServer) -> None:
    """The editor has gone without a word."""
    everyone = begun(wire, local)
    assert wire.process.stdin is not None
    wire.process.stdin.close()
    assert all_gone(everyone, wire)


def test_the_end_of_the_editors_process_ends_all_processes(wire: Wire, local: ModelServer) -> None:
    """While something else holds stdin open."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        everyone = begun(wire, local, processId=other.pid)
        other.kill()
        other.wait(SECONDS)
        assert all_gone(everyone, wire)


def test_a_server_that_is_killed_leaves_nothing_behind(wire: Wire, local: ModelServer) -> None:
    """What it started notices by itself."""
    everyone = begun(wire, local)
    wire.process.kill()
    assert all_gone(everyone, wire)
