"""A user who types, before a real server: how often the model is asked, and when it stops."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from synconfroute.server.completion.counts import Source
from synconfroute.server.completion.day_files import read_days
from tests.e2e.editor import SECONDS, SERVE, Editor, editor, environment, homes, until
from tests.server.command.model_server import ModelServer, serving

SOURCE = "def add(a, b):\n    return \n"
LINE, COLUMN = 1, 11
TEXT = "a + b"

pytestmark = pytest.mark.asyncio(loop_scope="module")

_numbers = count(1)


class Typist:
    """One document, in which one line is typed."""

    def __init__(self, session: Editor, model: ModelServer) -> None:
        self.session = session
        self.model = model
        self.uri = f"file:///work/typing{next(_numbers)}.py"
        self.column = COLUMN
        self._version = 1
        self._asked_before = len(self._posts())
        self._hung_up_before = model.hung_up
        session.open(self.uri, SOURCE)

    @property
    def asked(self) -> int:
        """How often the model was asked for a completion here."""
        return len(self._posts()) - self._asked_before

    @property
    def hung_up(self) -> int:
        """How many of its streams were closed while it waited."""
        return self.model.hung_up - self._hung_up_before

    def writes(self, text: str, back: int = 0) -> None:
        """Replace `back` characters before the cursor by `text`."""
        self._version += 1
        start, end = (LINE, self.column - back), (LINE, self.column)
        self.session.edit(self.uri, self._version, start, end, text)
        self.column += len(text) - back

    async def text(self, **more: object) -> str:
        """What is shown at the cursor."""
        return await self.session.text(self.uri, LINE, self.column, **more)

    def begin(self, name: str | None = None) -> "asyncio.Future[types.InlineCompletionList | None]":
        """Ask for what is shown at the cursor."""
        return self.session.begin(self.uri, LINE, self.column, name=name)

    def _posts(self) -> list[tuple[str, str]]:
        return [asked for asked in self.model.asked if asked == ("POST", "/v1/completions")]


def counts_file_in(folder: Path) -> Path:
    """The one file of counts somewhere below a folder."""
    (file,) = folder.rglob("counts/*.json")
    return file


def shown(answer: types.InlineCompletionList | None) -> object:
    """The text of the one item."""
    assert answer is not None
    (item,) = answer.items
    return item.insert_text


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """A model that writes one text, a character at a time."""
    with serving(ModelServer(text=f"{TEXT}\n")) as one:
        yield one


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(
    server: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """An editor with the real server."""
    env = environment(**homes(str(tmp_path_factory.mktemp("home"))))
    local = {"provider": "openai", "url": server.url}
    options = {"local": local, "limits": {"alternatives": 0}}
    async with editor(SERVE, env, options=options) as session:
        yield session


@pytest_asyncio.fixture(loop_scope="module")
async def typist(running: Editor, server: ModelServer) -> AsyncIterator[Typist]:
    """A document that nobody has asked about; the model answers at once."""
    server.held = None
    server.go_on.clear()
    one = Typist(running, server)
    yield one
    server.go_on.set()
    running.close(one.uri)


async def test_typing_along_a_shown_text_asks_the_model_once(typist: Typist) -> None:
    """Key by key, back again, and by the word, as editors accept a part."""
    assert await typist.text() == TEXT
    for typed in range(1, len(TEXT)):
        typist.writes(TEXT[typed - 1])
        assert await typist.text() == TEXT[typed:]
    typist.writes("", back=len(TEXT) - 1)
    assert await typist.text() == TEXT
    typist.writes("a +")
    assert await typist.text() == " b"
    typist.writes(" x")
    typist.writes("", back=2)
    assert await typist.text() == " b"
    assert typist.asked == 1


async def test_an_edit_elsewhere_asks_anew(typist: Typist) -> None:
    """The text was made for other code."""
    await typist.text()
    typist.session.edit(typist.uri, 2, (0, 4), (0, 7), "sum")
    assert await typist.text() == TEXT
    assert typist.asked == 2


async def test_an_entry_of_the_editors_list_is_extended_from_memory(typist: Typist) -> None:
    """VS Code asks twice a key while its list is open: the second time for what is selected."""
    await typist.text()
    caret = types.Position(LINE, COLUMN)
    chosen = types.SelectedCompletionInfo(types.Range(caret, caret), "a +")
    answer = await typist.session.complete(typist.uri, LINE, COLUMN, chosen=chosen)
    assert answer is not None
    (item,) = answer.items
    assert item.insert_text == TEXT
    assert item.range == chosen.range
    typist.writes("a")
    chosen = types.SelectedCompletionInfo(
        types.Range(caret, types.Position(LINE, COLUMN + 1)), "a +"
    )
    answer = await typist.session.complete(typist.uri, LINE, COLUMN + 1, chosen=chosen)
    assert shown(answer) == TEXT
    assert typist.asked == 1


async def test_a_text_that_is_being_written_goes_on_while_it_is_typed(typist: Typist) -> None:
    """The older request is answered with null at once, the newer with the rest."""
    typist.model.held = 2
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    for character in "a +":
        typist.writes(character)
        newer = typist.begin()
        assert await asyncio.wait_for(older, SECONDS) is None
        older = newer
    typist.model.go_on.set()
    assert shown(await asyncio.wait_for(newer, SECONDS)) == " b"
    assert typist.asked == 1
    assert typist.hung_up == 0


async def test_a_line_break_that_is_typed_keeps_what_is_being_written(typist: Typist) -> None:
    """Behind a header the text begins with it; the editor sends it with the indentation."""
    model, before = typist.model, typist.model.text
    typist.session.edit(typist.uri, 2, (LINE, 0), (LINE, COLUMN), "    if a:")
    model.text, model.held = "\n        return b\n", 3
    try:
        older = typist.session.begin(typist.uri, LINE, len("    if a:"))
        await until(lambda: typist.asked, "the model to be asked")
        end = (LINE, len("    if a:"))
        typist.session.edit(typist.uri, 3, end, end, "\n        ")
        newer = typist.session.begin(typist.uri, LINE + 1, 8)
        assert await asyncio.wait_for(older, SECONDS) is None
        model.go_on.set()
        assert shown(await asyncio.wait_for(newer, SECONDS)) == "return b"
    finally:
        model.text = before
    assert typist.asked == 1
    assert typist.hung_up == 0


@pytest.mark.parametrize(("entry", "asked"), [("a +", 1), ("max", 2)])
async def test_an_entry_previewed_while_the_model_writes(
    typist: Typist, entry: str, asked: int
) -> None:
    """Its request waits for the text that begins with it; else that stream is closed first."""
    typist.model.held = 2
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    caret = types.Position(LINE, COLUMN)
    chosen = types.SelectedCompletionInfo(types.Range(caret, caret), entry)
    newer = typist.session.begin(typist.uri, LINE, COLUMN, chosen=chosen)
    assert await asyncio.wait_for(older, SECONDS) is None
    await until(lambda: typist.asked == asked, "as many model calls as needed")
    typist.model.go_on.set()
    whole = TEXT if asked == 1 else entry + TEXT
    assert shown(await asyncio.wait_for(newer, SECONDS)) == whole
    assert typist.asked == asked
    await until(lambda: typist.hung_up == asked - 1, "streams that nobody needs to be closed")


async def test_what_nobody_waited_for_is_known_when_it_is_asked_for(typist: Typist) -> None:
    """It was written to its end while the user typed along it."""
    typist.model.held = 0
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    typist.writes("a")
    assert await asyncio.wait_for(older, SECONDS) is None
    typist.model.go_on.set()
    typist.writes(" ")
    assert await typist.text() == "+ b"
    assert typist.asked == 1


async def test_typing_something_else_closes_the_stream(typist: Typist) -> None:
    """And the next request asks for the new place."""
    typist.model.held = 2
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    typist.writes("x")
    assert await asyncio.wait_for(older, SECONDS) is None
    await until(lambda: typist.hung_up == 1, "the stream to be closed")
    typist.model.held = None
    typist.writes(" + ")
    assert await typist.text() == TEXT
    assert typist.asked == 2


async def test_a_text_that_turns_out_another_is_closed_and_asked_for_anew(typist: Typist) -> None:
    """The request that waited for it is answered all the same."""
    typist.model.held = 0
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    typist.writes("x + ")
    assert await asyncio.wait_for(older, SECONDS) is None
    newer = typist.begin()
    assert await typist.session.complete("file:///not/open.py", 0, 0) is None
    assert typist.asked == 1
    typist.model.held = None
    typist.model.go_on.set()
    assert shown(await asyncio.wait_for(newer, SECONDS)) == TEXT
    assert typist.asked == 2


@pytest.mark.parametrize("at_once", [False, True])
async def test_cancelling_the_request_that_waits_closes_the_stream(
    typist: Typist, at_once: bool
) -> None:
    """Also where it was begun for an older request, and the newer has not begun to wait for it."""
    typist.model.held = 0
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    typist.writes("a")
    newer = typist.begin(name=f"cancelled-{typist.uri}")
    if not at_once:
        assert await asyncio.wait_for(older, SECONDS) is None
        assert typist.hung_up == 0
    typist.session.client.cancel_request(types.CancelParams(f"cancelled-{typist.uri}"))
    assert await asyncio.wait_for(older, SECONDS) is None
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(newer, SECONDS)
    await until(lambda: typist.hung_up == 1, "the stream to be closed")


async def test_a_stream_that_nobody_joins_is_closed(typist: Typist) -> None:
    """The user typed on, and asked for nothing more."""
    typist.model.held = 0
    older = typist.begin()
    await until(lambda: typist.asked, "the model to be asked")
    typist.writes("a")
    assert await asyncio.wait_for(older, SECONDS) is None
    await until(lambda: typist.hung_up == 1, "the stream to be closed")


async def test_inside_a_word_the_model_is_asked_only_on_request(typist: Typist) -> None:
    """An empty answer takes away what the editor shows."""
    answer = await typist.session.complete(typist.uri, 0, 5)
    assert answer is not None
    assert not answer.items
    assert typist.asked == 0
    await typist.session.complete(typist.uri, 0, 5, explicit=True)
    assert typist.asked == 1


async def test_what_became_of_a_text_is_counted_without_it(
    server: ModelServer, tmp_path: Path
) -> None:
    """Shown once, a word of it taken, then the rest: numbers in a file when the session ends."""
    server.held = None
    local = {"provider": "openai", "url": server.url}
    options = {"local": local, "typing": {"speculate": False}}
    async with editor(SERVE, environment(**homes(str(tmp_path))), options=options) as session:
        typist = Typist(session, server)
        assert await typist.text() == TEXT
        typist.writes("a +")
        answer = await session.complete(typist.uri, LINE, typist.column)
        assert shown(answer) == " b"
        assert answer is not None
        command = answer.items[0].command
        assert command is not None
        typist.writes(" b")
        await session.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, command.arguments)
        )
    file = counts_file_in(tmp_path)
    (rows,) = read_days(file.parent).days.values()
    ((source, numbers),) = rows.items()
    assert source == Source("local", "qwen2.5-coder", "python", "kept", "valid")
    tokens = len(TEXT) + 1
    assert {name: number for name, number in numbers.items() if "_ms" not in name} == {
        "asked": 1,
        "generated": tokens,
        "used": tokens,
        "shown": 1,
        "partly": 1,
        "accepted": 1,
    }
    waits = Counter(name.partition(" ")[0] for name in numbers if "_ms" in name)
    assert waits == {"model_ms": 1, "memory_ms": 1}
    assert TEXT.encode() not in file.read_bytes()
