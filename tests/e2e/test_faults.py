"""What goes wrong inside a session is logged without code, and disturbs nobody."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter

from synconfroute.server.protocol.documents import Documents
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


@pytest.mark.parametrize("language", [None, 7, 1.5, True])
def test_a_language_that_is_no_text_is_unknown(language: Any) -> None:
    """The types of the protocol let it through; a prompt would fail on it."""
    item = {"uri": URI, "languageId": language, "version": 1, "text": "x"}
    convert = default_converter()  # type: ignore[no-untyped-call]
    params = convert.structure(item, types.TextDocumentItem)
    documents = Documents()
    assert documents.open(params).language == ""


async def test_an_answer_under_a_requests_own_id_changes_nothing(
    session: Editor, scripted: Scripted
) -> None:
    """The client's request goes on, and can be cancelled as ever; none has failed."""
    session.open(URI, "slow")
    asked = session.begin(URI, 0, 4, name="mine")
    await until(lambda: "start slow" in scripted.events(), "the start")
    session.client.protocol._send_data({"jsonrpc": "2.0", "id": "mine", "result": 1})
    session.notify_raw("$/cancelRequest", {"id": "mine"})
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wait_for(asked, SECONDS)
    assert caught.value.code == -32800
    assert " ERROR " not in scripted.log()


async def test_a_request_in_the_name_of_a_notification_is_answered(session: Editor) -> None:
    """Whoever waits is told that it is none."""
    for method in ("initialized", "textDocument/didClose", "$/cancelRequest"):
        with pytest.raises(JsonRpcException) as caught:
            await session.raw(method, {})
        assert caught.value.code == -32600, method


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
