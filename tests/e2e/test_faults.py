"""What goes wrong inside a session is logged without code, and disturbs nobody."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.conftest import Scripted
from tests.e2e.editor import SCRIPTED, SECONDS, Editor, environment, until
from tests.e2e.wire import Wire

URI = "file:///work/a.py"
SECRET = "zebra_quilt_9137"
PLACE = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
ASK = {**PLACE, "context": {"triggerKind": 2}}

MALFORMED: list[Any] = [
    {},
    None,
    [],
    PLACE,
    {**PLACE, "context": {"triggerKind": 7}},
    {**ASK, "position": {"line": -1, "character": 0}},
    {**ASK, "position": {"line": SECRET, "character": 0}},
    {**ASK, "position": {"line": 2**40, "character": 0}},
    {**ASK, "textDocument": None},
    {**ASK, "context": [SECRET]},
]


async def test_a_malformed_request_is_answered_and_shows_nothing(session: Editor) -> None:
    """With -32602, no pop-up, none of its values, and the session goes on."""
    session.open(URI, "x")
    for params in MALFORMED:
        with pytest.raises(JsonRpcException) as caught:
            await session.raw(types.TEXT_DOCUMENT_INLINE_COMPLETION, params)
        assert caught.value.code == -32602, params
        assert caught.value.data is None
        assert SECRET not in caught.value.message
        assert await session.text(URI, 0, 1) == "<x|>\n0"
    assert session.shown == []


IMPOSSIBLE: list[tuple[str, Any, int]] = [
    ("textDocument/hover", PLACE, -32601),
    ("made/up", {"jsonrpc": "9"}, -32601),
    ("made/up", None, -32601),
    ("initialize", {"capabilities": {}, "processId": None, "rootUri": None}, -32600),
    ("workspace/executeCommand", {"command": SECRET, "arguments": [SECRET]}, -32602),
    ("workspace/executeCommand", {"arguments": []}, -32602),
]


async def test_what_cannot_be_done_is_an_error_with_its_code(session: Editor) -> None:
    """One sentence, no traceback, nothing of what was sent, and no pop-up."""
    for method, params, code in IMPOSSIBLE:
        with pytest.raises(JsonRpcException) as caught:
            await session.raw(method, params)
        assert caught.value.code == code, method
        assert caught.value.data is None
        assert SECRET not in caught.value.message
    assert session.shown == []


async def test_notifications_that_mean_nothing_are_ignored(session: Editor) -> None:
    """Unknown, malformed, or about documents that are not open: no pop-up, and it goes on."""
    session.notify_raw("made/up", [1, 2])
    session.notify_raw("$/cancelRequest", {"id": "nobody"})
    session.notify_raw("$/cancelRequest", {})
    session.notify_raw("$/setTrace", {"value": "loud"})
    session.notify_raw("textDocument/didSave", {"textDocument": {"uri": URI}})
    session.notify_raw("textDocument/didOpen", {"textDocument": {"uri": URI}})
    session.notify_raw("workspace/didChangeWorkspaceFolders", {"event": {}})
    session.edit("file:///not/open", 2, (0, 0), (0, 0), "x")
    session.close("file:///not/open")
    session.open(URI, "x")
    assert await session.text(URI, 0, 1) == "<x|>\n0"
    assert session.shown == []


async def test_a_document_with_a_lost_edit_is_not_completed(session: Editor) -> None:
    """An edit that cannot be read leaves our copy out of step, until the document is reopened."""
    session.open(URI, "x")
    session.notify_raw(
        "textDocument/didChange",
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": 1, "text": "y"}]},
    )
    assert await session.complete(URI, 0, 1) is None
    session.open(URI, "z")
    assert await session.text(URI, 0, 1) == "<z|>\n0"


async def test_a_fault_in_one_request_is_null_and_touches_no_other(
    session: Editor, scripted: Scripted
) -> None:
    """It is logged with its kind and place, shown to nobody, and tells nothing of the buffer."""
    session.open(URI, f"{SECRET} = 1\nfail\nfine")
    assert await session.complete(URI, 1, 4) is None
    assert await session.text(URI, 2, 4) == "<fine|>\n0"
    assert session.shown == []
    (line,) = [line for line in scripted.log().splitlines() if " ERROR " in line]
    assert "ValueError" in line
    assert "scripted_server.py" in line


async def test_a_fault_in_building_the_completer_is_said_once(scripted: Scripted) -> None:
    """Requests are answered with null, and the session goes on."""
    async with scripted.session(options={"break": True}) as session:
        session.open(URI, "x")
        for _ in range(3):
            assert await session.complete(URI, 0, 1) is None
        await until(lambda: session.shown, "the message")
        assert len(session.shown) == 1
        assert SECRET not in session.shown[0]


@pytest.mark.usefixtures("home")
def test_no_log_holds_source_code(tmp_path: Path) -> None:
    """Even at level debug, whatever is sent and whatever fails."""
    log, errors = tmp_path / "log", tmp_path / "stderr"
    with Wire(SCRIPTED, environment(LOG=str(log)), errors) as wire:
        wire.initialize(initializationOptions={"complain": []})
        item = {"uri": URI, "languageId": "python", "version": 1, "text": f"fail {SECRET}\nok"}
        wire.notify("textDocument/didOpen", {"textDocument": item})
        edit = {"range": {"start": PLACE["position"], "end": SECRET}, "text": SECRET}
        wire.ask(
            1, "textDocument/inlineCompletion", {**ASK, "position": {"line": 0, "character": 8}}
        )
        wire.ask(
            2, "textDocument/inlineCompletion", {**ASK, "position": {"line": 1, "character": 1}}
        )
        wire.ask(3, "textDocument/inlineCompletion", {**ASK, "position": SECRET})
        wire.ask(4, "workspace/executeCommand", {"command": SECRET})
        change = {"textDocument": {"uri": URI, "version": SECRET}, "contentChanges": [edit]}
        wire.notify("textDocument/didChange", change)
        wire.send(b"{" + SECRET.encode())
        wire.send([SECRET])
        wire.ask(5, "shutdown", None)
        wire.notify("exit", None)
        assert wire.wait() == 0
    written = log.read_text(encoding="utf-8") + errors.read_text(encoding="utf-8")
    assert "answer r2" in written
    assert "ValueError" in written
    assert SECRET not in written


@pytest.mark.usefixtures("home")
def test_prints_do_not_reach_the_protocol(tmp_path: Path) -> None:
    """Whatever a library prints, by whatever way, comes out on stderr."""
    errors = tmp_path / "stderr"
    with Wire(SCRIPTED, environment(), errors) as wire:
        wire.initialize()
        item = {"uri": URI, "languageId": "python", "version": 1, "text": "noise"}
        wire.notify("textDocument/didOpen", {"textDocument": item})
        ask = {**ASK, "position": {"line": 0, "character": 5}}
        assert wire.ask(1, "textDocument/inlineCompletion", ask)["result"]["items"]
        wire.ask(2, "shutdown", None)
        wire.notify("exit", None)
        assert wire.wait() == 0
        assert wire.stray == []
    written = errors.read_text(encoding="utf-8")
    assert all(word in written for word in ("printed", "written", "raw"))


async def test_a_message_for_the_user_is_shown_once(session: Editor) -> None:
    """However often the same thing goes wrong."""
    session.open(URI, "notice")
    for _ in range(3):
        await session.text(URI, 0, 6)
    assert session.shown == ["Something that the user should know."]


async def test_wrong_settings_are_said_once_each(scripted: Scripted) -> None:
    """What the settings' reader found wrong in what the editor sent."""
    async with scripted.session(options={"complain": ["One.", "Two.", "One."]}) as session:
        await until(lambda: len(session.shown) >= 2, "both messages")
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        assert session.shown == ["One.", "Two."]


async def test_provenance_goes_to_editors_that_ask(scripted: Scripted) -> None:
    """As a notification, for each answer; it holds no code."""
    async with scripted.session(options={"provenance": True}) as session:
        session.open(URI, SECRET)
        await session.text(URI, 0, 3)
        await until(lambda: session.provenance, "the notification")
        (made,) = session.provenance
        assert (made.tier, made.model, made.verdict, made.reason) == (
            "local",
            "scripted",
            "valid",
            "kept",
        )
        assert made.request_id == "r1"
        assert SECRET not in repr(made)
    async with scripted.session() as session:
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        assert session.provenance == []


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
