"""A real server process with a scripted completer, driven as VS Code drives it."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.conftest import Scripted
from tests.e2e.editor import SECONDS, Editor, until

URI = "file:///work/a.py"
OTHER = "file:///work/b.py"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Scripted:
    """Scripted servers; these tests share one."""
    return Scripted(tmp_path_factory.mktemp("scripted"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(scripted: Scripted) -> AsyncIterator[Editor]:
    """An editor with a scripted server, for all tests here."""
    async with scripted.session() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="module")
async def session(running: Editor, scripted: Scripted) -> AsyncIterator[Editor]:
    """The editor, with no document open and no event seen."""
    scripted.forget_events()
    yield running
    running.close(URI)
    running.close(OTHER)
    assert running.shown == []


def caret(line: int, character: int) -> types.Range:
    """The empty range at a position."""
    return types.Range(types.Position(line, character), types.Position(line, character))


async def test_what_is_advertised(session: Editor) -> None:
    """Inline completion always and statically, incremental sync, the accept command."""
    capabilities = session.initialized.capabilities
    assert capabilities.inline_completion_provider == types.InlineCompletionOptions()
    assert capabilities.text_document_sync == types.TextDocumentSyncOptions(
        open_close=True, change=types.TextDocumentSyncKind.Incremental
    )
    assert capabilities.execute_command_provider is not None
    assert "synconfroute.accept" in capabilities.execute_command_provider.commands
    assert capabilities.completion_provider is None
    assert capabilities.position_encoding == "utf-16"
    assert session.initialized.server_info is not None
    assert session.initialized.server_info.name == "synconfroute"


async def test_an_item_is_portable(session: Editor) -> None:
    """Plain text, an empty range at the cursor, and a command that carries no code."""
    session.open(URI, "def f(x):\n    ret\n")
    answer = await session.complete(URI, 1, 7)
    assert answer is not None
    (item,) = answer.items
    assert item.insert_text == "<ret|>\n0"
    assert item.range == caret(1, 7)
    assert item.filter_text is None
    assert item.command is not None
    assert item.command.command == "synconfroute.accept"
    assert item.command.arguments is not None
    (request_id,) = item.command.arguments
    assert isinstance(request_id, str)
    assert re.fullmatch(r"r\d+", request_id)


async def test_the_accept_command_is_taken(session: Editor) -> None:
    """The editor runs it when the user takes an item."""
    result = await session.client.workspace_execute_command_async(
        types.ExecuteCommandParams("synconfroute.accept", arguments=["r1"])
    )
    assert result is None


async def test_nothing_to_show_is_an_empty_list(session: Editor) -> None:
    """Some editors keep an old text on null, and take it away on an empty list."""
    session.open(URI, "empty")
    answer = await session.complete(URI, 0, 5)
    assert answer is not None
    assert not answer.items


async def test_a_document_that_is_not_open_is_answered_with_null(session: Editor) -> None:
    """There is nothing to say about it."""
    assert await session.complete(URI, 0, 0) is None


@pytest.mark.parametrize(("explicit", "seen"), [(True, "1"), (False, "0")])
async def test_the_trigger_reaches_the_hole(session: Editor, explicit: bool, seen: str) -> None:
    """Asked for, or triggered by typing."""
    session.open(URI, "x")
    assert await session.text(URI, 0, 1, explicit=explicit) == f"<x|>\n{seen}"


async def test_the_old_trigger_numbering_is_understood(session: Editor) -> None:
    """Clients of vscode-languageserver 9 send 0 for a request that the user asked for."""
    session.open(URI, "x")
    answer = await session.raw(
        types.TEXT_DOCUMENT_INLINE_COMPLETION,
        {
            "textDocument": {"uri": URI},
            "position": {"line": 0, "character": 1},
            "context": {"triggerKind": 0},
        },
    )
    assert answer.items[0].insertText == "<x|>\n1"


async def test_an_entry_of_the_editors_own_list_is_extended(session: Editor) -> None:
    """The item takes the entry's range, begins with its text, and goes on as if it stood there."""
    session.open(URI, "x = pri)\n")
    chosen = types.SelectedCompletionInfo(
        range=types.Range(types.Position(0, 4), types.Position(0, 7)), text="print("
    )
    answer = await session.complete(URI, 0, 7, chosen=chosen)
    assert answer is not None
    (item,) = answer.items
    assert item.range == chosen.range
    assert item.insert_text == "print(<x = print(|)>\n0"


async def test_a_cancelled_request_is_closed(session: Editor, scripted: Scripted) -> None:
    """The completer's task is cancelled and the request is answered as cancelled."""
    session.open(URI, "slow")
    answer = session.begin(URI, 0, 4, name="r")
    await until(lambda: "start slow" in scripted.events(), "the start")
    session.client.cancel_request(types.CancelParams("r"))
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wait_for(answer, SECONDS)
    assert caught.value.code == -32800
    assert scripted.events()[-1] == "end slow"


async def test_a_newer_request_closes_the_older_one_first(
    session: Editor, scripted: Scripted
) -> None:
    """The older is answered with null; the newer begins when the older has ended."""
    session.open(URI, "slow\nfast")
    older = session.begin(URI, 0, 4)
    await until(lambda: "start slow" in scripted.events(), "the start")
    assert await session.text(URI, 1, 4) == "<fast|>\n0"
    assert await asyncio.wait_for(older, SECONDS) is None
    assert scripted.events()[-4:] == ["start slow", "end slow", "start fast", "end fast"]


async def test_requests_sent_at_once_run_only_the_newest(
    session: Editor, scripted: Scripted
) -> None:
    """Neovim cancels nothing: a burst costs few generations, and never two at a time."""
    session.open(URI, "slow\n" * 50 + "fast")
    older = [session.begin(URI, line, 4) for line in range(50)]
    assert await session.text(URI, 50, 4) == "<fast|>\n0"
    assert await asyncio.wait_for(asyncio.gather(*older), SECONDS) == [None] * 50
    kinds = [event.split()[0] for event in scripted.events()]
    assert kinds == ["start", "end"] * (len(kinds) // 2)
    assert len(kinds) < len(older)
    assert scripted.events()[-2:] == ["start fast", "end fast"]


async def test_documents_run_beside_each_other(session: Editor, scripted: Scripted) -> None:
    """A request in one file does not touch that in another."""
    session.open(URI, "slow")
    session.open(OTHER, "fast")
    slow = session.begin(URI, 0, 4)
    await until(lambda: "start slow" in scripted.events(), "the start")
    assert await session.text(OTHER, 0, 4) == "<fast|>\n0"
    assert not slow.done()
    session.close(URI)
    assert await asyncio.wait_for(slow, SECONDS) is None


async def test_an_answer_for_an_older_version_is_null(session: Editor, scripted: Scripted) -> None:
    """An edit while the model runs makes its answer worthless: it is closed."""
    session.open(URI, "slow")
    answer = session.begin(URI, 0, 4)
    await until(lambda: "start slow" in scripted.events(), "the start")
    session.edit(URI, 2, (0, 0), (0, 4), "fast")
    assert await asyncio.wait_for(answer, SECONDS) is None
    assert await session.text(URI, 0, 4) == "<fast|>\n0"


async def test_an_edit_sent_right_behind_a_request_counts(session: Editor) -> None:
    """Also when both are read at once: the request was made for the text before."""
    session.open(URI, "fast")
    answer = session.begin(URI, 0, 4)
    session.edit(URI, 2, (0, 0), (0, 0), "x")
    assert await asyncio.wait_for(answer, SECONDS) is None


async def test_a_document_closed_meanwhile_is_answered_with_null(
    session: Editor, scripted: Scripted
) -> None:
    """And what ran for it is closed."""
    session.open(URI, "slow")
    answer = session.begin(URI, 0, 4)
    await until(lambda: "start slow" in scripted.events(), "the start")
    session.close(URI)
    assert await asyncio.wait_for(answer, SECONDS) is None
    assert scripted.events()[-1] == "end slow"


async def test_only_the_protocols_line_ends_count(session: Editor) -> None:
    """Form feeds, vertical tabs and U+2028 are no line ends, before and after edits."""
    session.open(URI, "one\x0c\x0b\u2028two\x85\nthree\n")
    assert await session.text(URI, 1, 2) == "<th|ree>\n0"
    session.edit(URI, 2, (0, 0), (0, 0), "\u2029")
    session.edit(URI, 3, (1, 0), (1, 2), "Th")
    assert await session.text(URI, 1, 2) == "<Th|ree>\n0"


async def test_windows_line_ends(session: Editor) -> None:
    r"""Positions and edits in a file of "\r\n"; the hole and the text have "\n"."""
    session.open(URI, "one\r\ntwo\r\nthree")
    session.edit(URI, 2, (0, 3), (1, 1), "\r\nT\r\nx")
    assert await session.text(URI, 2, 2) == "<xw|o>\n0"
    assert await session.text(URI, 1, 99) == "<T|>\n0"


@pytest.mark.parametrize(
    ("encodings", "chosen", "column"),
    [
        (["utf-8", "utf-16"], "utf-8", 7),
        (["utf-16"], "utf-16", 4),
        (["utf-32", "utf-8", "utf-16"], "utf-32", 3),
    ],
)
async def test_columns_are_counted_as_the_editor_counts(
    scripted: Scripted, encodings: list[str], chosen: str, column: int
) -> None:
    """An edit and a cursor behind accents and emoji, in all three encodings."""
    async with scripted.session(encodings=encodings) as session:
        assert session.initialized.capabilities.position_encoding == chosen
        session.open(URI, "é😀 b")
        session.edit(URI, 2, (0, column), (0, column), "x")
        answer = await session.complete(URI, 0, column + 1)
        assert answer is not None
        assert answer.items[0].insert_text == "<é😀 x|b>\n0"
        assert answer.items[0].range == caret(0, column + 1)
        beyond = await session.complete(URI, 0, 99)
        assert beyond is not None
        assert beyond.items[0].range == caret(0, column + 2)
