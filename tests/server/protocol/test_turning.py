"""The user turns to a document: where, and who is told so that things are ready."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from synconfroute.server.completion.answer import Answer, unasked
from synconfroute.server.completion.context.open_documents import Followed
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.server import Server
from synconfroute.server.protocol.status import METHOD
from synconfroute.server.settings.tree import Settings
from synconfroute.validators.line_text import Splice

URI = "file:///a.py"
TEXT = "def f(a, b):\n    return\n"


class Quiet:
    """Wants to know of nothing."""

    def folders(self, roots: Sequence[Path]) -> None:
        """Nothing to note."""

    def open(self, key: str, language: str, source: Followed) -> None:
        """Nothing to note."""

    def edit(self, key: str, splice: Splice) -> None:
        """Nothing to note."""

    def forget(self, key: str) -> None:
        """Nothing to note."""


class Completer:
    """Notes which holes the user turns to."""

    speculates = False
    breaker = None

    def __init__(self) -> None:
        self.turned: list[tuple[str, bool]] = []
        self.paused = ""

    @property
    def follower(self) -> Quiet:
        """Wants to know of nothing."""
        return Quiet()

    def shown(self, request_id: str) -> None:
        """Nothing to note."""

    def turned_to(self, hole: Hole, *, goes_on: bool) -> None:
        """Note what stands before the hole."""
        self.turned.append((hole.prefix, goes_on))

    def typed(self) -> None:
        """Nothing to note."""

    async def complete(self, hole: Hole, on_text: Callable[[str], None]) -> Answer:
        """Nothing to show."""
        return unasked(self.paused or "Nothing is said here.")

    async def warm(self) -> str:
        """Nothing to warm."""
        return ""

    async def aclose(self) -> None:
        """Nothing to close."""


class Session:
    """A server, and what it writes."""

    def __init__(self, completer: Completer) -> None:
        self.written: list[Any] = []
        self.server = Server(
            lambda *_: (Settings(), []), lambda *_, **__: completer, self._nothing_beside
        )
        self.server.protocol.set_writer(self)
        self._count = 0

    @staticmethod
    def _nothing_beside(*_: Any) -> Any:
        raise AssertionError("nothing here runs beside")

    def write(self, data: bytes) -> None:
        """Take one message."""
        self.written.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        """Nothing is open."""

    def tell(self, method: str, params: Any) -> None:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.server.protocol.receive(json.dumps(message).encode())

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request; its result."""
        self._count += 1
        name = self._count
        message = {"jsonrpc": "2.0", "id": name, "method": method, "params": params}
        self.server.protocol.receive(json.dumps(message).encode())
        async with asyncio.timeout(10):
            while True:
                found = [each for each in self.written if each.get("id") == name]
                if found:
                    return found[0].get("result")
                await asyncio.sleep(0.001)

    async def begin(self) -> None:
        """Initialize, and wait until the completer is there."""
        params = {"capabilities": {}, "initializationOptions": {"status": True}}
        await self.ask("initialize", params)
        self.tell("initialized", {})
        async with asyncio.timeout(10):
            while "local" not in {each.get("tier") for each in self.told()}:
                await asyncio.sleep(0.001)

    def told(self) -> list[Any]:
        """What the status bar was told."""
        return [each["params"] for each in self.written if each.get("method") == METHOD]

    def opens(self) -> None:
        """Open the document."""
        item = {"uri": URI, "languageId": "python", "version": 1, "text": TEXT}
        self.tell("textDocument/didOpen", {"textDocument": item})

    async def completes(self, line: int, character: int) -> None:
        """Ask for a completion."""
        place = {"line": line, "character": character}
        context = {"triggerKind": 2}
        params = {"textDocument": {"uri": URI}, "position": place, "context": context}
        await self.ask("textDocument/inlineCompletion", params)


async def test_connections_are_made_ready_when_a_document_opens() -> None:
    """Nobody knows yet where in it the user will go on."""
    completer = Completer()
    session = Session(completer)
    await session.begin()
    session.opens()
    assert completer.turned == [("", False)]
    await session.server.aclose()


async def test_who_turns_back_goes_on_where_a_completion_was_asked_for() -> None:
    """That place is told with the document's focus."""
    completer = Completer()
    session = Session(completer)
    await session.begin()
    session.opens()
    await session.completes(1, 10)
    session.tell("textDocument/didFocus", {"textDocument": {"uri": URI}})
    assert completer.turned[-1] == ("def f(a, b):\n    return", True)
    await session.server.aclose()


async def test_the_first_key_after_a_pause_makes_connections_ready() -> None:
    """Those that follow do not: there is one, or a request has it. Nothing is read meanwhile."""
    completer = Completer()
    session = Session(completer)
    await session.begin()
    session.opens()
    completer.turned.clear()
    for version in (2, 3, 4):
        place = {"line": 1, "character": 10}
        change = {"range": {"start": place, "end": place}, "text": "x"}
        document = {"uri": URI, "version": version}
        session.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
        await asyncio.sleep(0)
    assert [goes_on for _, goes_on in completer.turned] == [False]
    await session.server.aclose()


async def test_where_completions_are_off_nothing_is_made_ready() -> None:
    """Off means that no server hears of it."""
    completer = Completer()
    session = Session(completer)
    await session.begin()
    await session.ask("workspace/executeCommand", {"command": "synconfroute.toggle"})
    session.opens()
    assert completer.turned == []
    await session.server.aclose()


async def test_a_pause_on_battery_is_told_once() -> None:
    """However often nothing comes; and that they come again."""
    completer = Completer()
    session = Session(completer)
    await session.begin()
    session.opens()
    completer.paused = "On battery, completions come only when you ask for them."
    for _ in range(3):
        await session.completes(1, 10)
    told = [each["message"] for each in session.told()]
    assert told.count(completer.paused) == 1
    completer.paused = ""
    await session.completes(1, 10)
    assert session.told()[-1]["message"] != told[-1]
    await session.server.aclose()
