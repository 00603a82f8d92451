"""The process and the bytes: start, end, damage, and clients that are not quite right."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SCRIPTED, SECONDS, environment
from tests.e2e.wire import Wire

URI = "file:///work/a.py"
ASK = {
    "textDocument": {"uri": URI},
    "position": {"line": 0, "character": 0},
    "context": {"triggerKind": 2},
}


@pytest.fixture
def wire(home: Path, tmp_path: Path) -> Iterator[Wire]:
    """A scripted server that has not been initialized."""
    assert home.exists()
    with Wire(SCRIPTED, environment(EVENTS=str(tmp_path / "events")), tmp_path / "stderr") as one:
        yield one


def test_requests_before_initialize_are_refused(wire: Wire) -> None:
    """With the protocol's own code; notifications are dropped."""
    wire.notify("textDocument/didOpen", {"textDocument": {}})
    assert wire.ask(1, "textDocument/inlineCompletion", ASK)["error"]["code"] == -32002
    assert "result" in wire.initialize()


def test_requests_after_shutdown_are_refused(wire: Wire) -> None:
    """Each is answered; `exit` then ends the process with 0."""
    wire.initialize()
    assert wire.ask(1, "shutdown", None)["result"] is None
    assert wire.ask(2, "textDocument/inlineCompletion", ASK)["error"]["code"] == -32600
    wire.notify("exit", None)
    assert wire.wait() == 0


def test_exit_without_shutdown_is_1(wire: Wire) -> None:
    """As the protocol has it."""
    wire.initialize()
    wire.notify("exit", None)
    assert wire.wait() == 1


def test_a_closed_stdin_ends_the_process(wire: Wire, tmp_path: Path) -> None:
    """Also with a request running, whose stream is closed, and the completer with it."""
    wire.initialize()
    item = {"uri": URI, "languageId": "python", "version": 1, "text": "slow"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    ask = {**ASK, "position": {"line": 0, "character": 4}}
    wire.send({"jsonrpc": "2.0", "id": 1, "method": "textDocument/inlineCompletion", "params": ask})
    wire.ask(2, "made/up", None)
    events = tmp_path / "events"
    deadline = time.monotonic() + SECONDS
    while not events.exists() or "start slow" not in events.read_text(encoding="utf-8"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert wire.process.stdin is not None
    wire.process.stdin.close()
    assert wire.wait() == 1
    assert events.read_text(encoding="utf-8").splitlines()[-2:] == ["end slow", "closed "]


def test_the_end_of_the_editors_process_ends_ours(wire: Wire) -> None:
    """Even while something else holds our stdin open."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        wire.initialize(processId=other.pid)
        assert wire.ask(1, "made/up", None)["error"]["code"] == -32601
        other.kill()
        other.wait(SECONDS)
        assert wire.wait() == 1


def test_a_process_id_from_elsewhere_is_no_reason_to_end(wire: Wire) -> None:
    """An editor in another container has an id that means nothing here."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait(SECONDS)
    wire.initialize(processId=gone.pid)
    with pytest.raises(subprocess.TimeoutExpired):
        wire.process.wait(1.5)
    assert wire.ask(1, "shutdown", None)["result"] is None


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


DAMAGE = [
    b"\x00\xff garbage\r\n\r\n",
    framed(b"{\xff\xfe}"),
    framed(b"null"),
    framed(b"[1,2,3]"),
    framed(b"[" * 200_000),
    framed(b'{"id": ' * 50_000 + b"}" * 50_000),
    framed(b'{"jsonrpc": "1.0", "id": 9, "method": "exit", "params": 0}'),
    framed(b'{"jsonrpc": "2.0", "id": [], "result": {}}'),
    framed(b'{"jsonrpc": "2.0", "id": {}, "method": "made/up"}'),
    framed(b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}'),
    framed(b'{"jsonrpc": "2.0", "id": 1, "error": 1}'),
    framed(b'{"jsonrpc": "2.0", "id": 1, "result": [[{"jsonrpc": "2.0"}]]}'),
    framed(b'{"jsonrpc": "2.0", "method": 1}'),
    framed(b'{"jsonrpc": "2.0"}'),
    framed(b"{}"),
    b'Content-Length: 2\r\n\r\n{"a": "longer than it says"}',
]


def test_damaged_messages_do_not_end_the_session(wire: Wire) -> None:
    """After each, requests are answered, and nothing but messages comes out."""
    wire.initialize()
    for number, damage in enumerate(DAMAGE):
        wire.send_bytes(damage)
        wire.notify("made/up", None)
        assert wire.ask(f"ask {number}", "made/up", None)["error"]["code"] == -32601
    assert wire.stray == []


@pytest.mark.parametrize(
    "changes",
    [
        {"capabilities": {}},
        {"capabilities": {"general": {"positionEncodings": ["utf-7", 3]}}},
        {"capabilities": {"general": None, "textDocument": {"synchronization": 7}}},
        {"capabilities": {"workspace": {"workspaceEdit": {"failureHandling": "new in 2031"}}}},
        {"capabilities": None, "processId": "me", "clientInfo": [], "trace": "loud"},
        {"initializationOptions": ["not", "an", "object"], "workspaceFolders": 9},
        {"processId": os.getpid(), "clientInfo": {"name": 3}},
    ],
)
def test_an_unusual_initialize_starts_all_the_same(wire: Wire, changes: dict[str, Any]) -> None:
    """A value that we do not know, in what we do not read, must not keep an editor out."""
    result = wire.initialize(**changes)["result"]
    assert result["capabilities"]["inlineCompletionProvider"] == {}
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    item = {"uri": URI, "languageId": "python", "version": 1, "text": "x"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    assert wire.ask(1, "textDocument/inlineCompletion", ASK)["result"]["items"]


def test_starting_imports_nothing_heavy() -> None:
    """What only completions need is imported after the editor has its answer."""
    program = (
        "import synconfroute.server.command.serve, synconfroute.server.protocol.server;"
        "print({'httpx', 'tree_sitter', 'xllamacpp', 'tqdm', 'psutil', 'ssl'}"
        " & (set(sys.modules) - before))"
    )
    program = "import sys, pygls.lsp.server; before = set(sys.modules);" + program
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "set()"
