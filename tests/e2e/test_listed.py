"""Completions in the editor's list, for editors that show none inline: Helix, Kate, eglot, Zed."""

import asyncio
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.conftest import Listening, Scripted
from tests.e2e.editor import SECONDS, Editor, until

URI = "file:///work/a.py"
LISTS = {"completion": {"completionItem": {"documentationFormat": ["markdown"]}}}
PLAIN: dict[str, Any] = {"completion": {}}
INLINE = {**LISTS, "inlineCompletion": {"dynamicRegistration": False}}


@pytest.fixture
def scripted(listening: Listening) -> Listening:
    """The server of this module, which nothing happened in yet."""
    listening.forget_events()
    return listening


def says(name: str, document: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What an editor of this name says of itself."""
    return {
        "clientInfo": {"name": name, "version": "1"},
        "capabilities": {"textDocument": document, **more},
    }


def begin(
    session: Editor, line: int, character: int, name: str | None = None
) -> "asyncio.Future[types.CompletionList | None]":
    """Ask for a list; it comes later."""
    sent = session.client.protocol.send_request(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionParams(
            types.TextDocumentIdentifier(URI),
            types.Position(line, character),
            types.CompletionContext(types.CompletionTriggerKind.Invoked),
        ),
        msg_id=name,
    )
    return asyncio.wrap_future(sent)


async def listed(session: Editor, line: int, character: int) -> types.CompletionList:
    """The list."""
    answer = await asyncio.wait_for(begin(session, line, character), SECONDS)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("client", "setting", "offered"),
    [
        (says("helix", LISTS), "auto", True),
        (says("Neovim", INLINE), "auto", False),  # 0.12
        (says("emacs", LISTS), "on", True),
    ],
)
async def test_where_a_list_is_offered(
    scripted: Scripted, client: dict[str, Any], setting: str, offered: bool
) -> None:
    """Where the editor shows lists and nothing inline, or as the user wishes; inline always."""
    options = {"typing": {"completion_list": setting}}
    async with scripted.session(options=options, says=client) as session:
        capabilities = session.initialized.capabilities
        assert (capabilities.completion_provider is not None) is offered
        assert capabilities.inline_completion_provider is not None
        session.open(URI, "x")
        if offered:
            assert len((await listed(session, 0, 1)).items) == 1
        else:
            with pytest.raises(JsonRpcException, match="does not have that method"):
                await asyncio.wait_for(begin(session, 0, 1), SECONDS)


async def test_one_entry_holds_the_whole_proposal(scripted: Scripted) -> None:
    """Plain text in place of the word before the cursor, shown whole beside the list."""
    async with scripted.session(says=says("helix", LISTS)) as session:
        session.open(URI, "x = é😀 val)\n")
        answer = await listed(session, 0, 11)
        (item,) = answer.items
    text = "val<x = é😀 val|)>\n0"
    assert answer.is_incomplete is True
    assert item.text_edit == types.TextEdit(
        types.Range(types.Position(0, 8), types.Position(0, 11)), text
    )
    assert item.kind == types.CompletionItemKind.Text
    assert item.insert_text_format == types.InsertTextFormat.PlainText
    assert item.insert_text_mode == types.InsertTextMode.AsIs
    assert item.label == "val<x = é😀 val|)> …"
    assert item.filter_text == "val<x = é😀 val|)>"
    assert item.preselect is True
    assert item.documentation == types.MarkupContent(
        types.MarkupKind.Markdown, f"```python\n{text}\n```"
    )
    assert item.command is not None
    assert item.command.command == "synconfroute.accept"


async def test_documentation_is_plain_where_the_editor_reads_no_markdown(
    scripted: Scripted,
) -> None:
    """As the protocol has it."""
    async with scripted.session(says=says("old", PLAIN)) as session:
        session.open(URI, "x")
        (item,) = (await listed(session, 0, 1)).items
    assert item.documentation == types.MarkupContent(types.MarkupKind.PlainText, "x<x|>\n0")


async def test_nothing_to_show_is_an_empty_list_to_be_asked_again(scripted: Scripted) -> None:
    """Incomplete, so that the next key asks."""
    async with scripted.session(says=says("helix", LISTS)) as session:
        session.open(URI, "empty")
        answer = await listed(session, 0, 5)
    assert (answer.is_incomplete, list(answer.items)) == (True, [])


async def test_lists_take_turns_and_are_cancelled_like_inline_requests(scripted: Scripted) -> None:
    """The newest wins, of either kind; a cancellation closes the model's stream."""
    async with scripted.session(
        says=says("helix", INLINE), options={"typing.completion_list": "on"}
    ) as session:
        session.open(URI, "slow\nfast")
        older = begin(session, 0, 4)
        await until(lambda: "start slow" in scripted.events(), "the start")
        assert await session.text(URI, 1, 4) == "<fast|>\n0"
        assert await asyncio.wait_for(older, SECONDS) is None
        scripted.forget_events()
        cancelled = begin(session, 0, 4, name="r")
        await until(lambda: "start slow" in scripted.events(), "the start")
        session.client.cancel_request(types.CancelParams("r"))
        with pytest.raises(JsonRpcException) as caught:
            await asyncio.wait_for(cancelled, SECONDS)
        assert caught.value.code == -32800
        assert scripted.events()[-1] == "end slow"
