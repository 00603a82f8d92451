"""One developer: types a line, asks for its rest, and begins anew."""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.fleet.lsp import Editor
from benchmarks.fleet.mark import Mark
from benchmarks.samples import SAMPLES

_KEYS = 5
"""Edits a request."""
_TYPING = 0.3
"""Of the time between two requests so much is typed in."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; moments are seconds of the machine's monotonic clock.

    Attributes:
        mark: which.
        sent: when it was handed to the connection.
        took: seconds until its answer was read.
        text: what it showed; None: nothing.
        fault: what was wrong; "": nothing.
    """

    mark: Mark
    sent: float
    took: float
    text: str | None
    fault: str = ""


class Typist:
    """A session with one document."""

    def __init__(self, number: int, lines: int, tell: Callable[[Asked], object]) -> None:
        """Plan it.

        Args:
            number: of the session.
            lines: of its document.
            tell: told of each request that ended.
        """
        self.number = number
        self._tell = tell
        sample = SAMPLES["python"]
        self._uri = f"file:///fleet/{number}.py"
        self._line = sample.statement(lines)
        self._above = sample.text(lines).splitlines(keepends=True)
        self._written = ""
        self._version = 1
        self._asked = 0
        self._editor: Editor | None = None

    async def connect(self, port: int) -> None:
        """Open the session and its document."""
        self._editor = await Editor.connect(port, "fleet")
        self._above.insert(self._line, "\n")
        item = {"uri": self._uri, "languageId": "python", "version": 1, "text": self._text()}
        self._editor.notify("textDocument/didOpen", {"textDocument": item})

    async def work(self, begin: float, every: float, until: float) -> None:
        """Ask every so many seconds, from one moment of the loop's clock until another.

        A request whose answer takes longer than that makes the next one late.
        """
        loop = asyncio.get_running_loop()
        due = begin
        while due < until:
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self._once(every * _TYPING / _KEYS)
            due = max(due + every, loop.time())

    async def same(self) -> bool:
        """Does the server hold the same text?"""
        assert self._editor is not None
        arguments = {"command": "synconfroute.digest", "arguments": [self._uri]}
        told = await self._editor.ask("workspace/executeCommand", arguments)
        return bool(told) and told["sha256"] == hashlib.sha256(self._text().encode()).hexdigest()

    async def leave(self) -> None:
        """End the session."""
        if self._editor is not None:
            await self._editor.leave()

    @property
    def told(self) -> list[str]:
        """The sentences that the developer was shown."""
        return [] if self._editor is None else self._editor.shown

    async def _once(self, gap: float) -> None:
        self._asked += 1
        mark = Mark(self.number, self._asked)
        line = f"    value{mark} = "
        self._type(0, len(self._written), "")
        size = -(-len(line) // (_KEYS - 1))
        for at in range(0, len(line), size):
            self._type(len(self._written), len(self._written), line[at : at + size])
            await asyncio.sleep(gap)
        self._tell(await self._complete(mark))

    async def _complete(self, mark: Mark) -> Asked:
        assert self._editor is not None
        params = {
            "textDocument": {"uri": self._uri},
            "position": {"line": self._line, "character": len(self._written)},
            "context": {"triggerKind": 2},
        }
        sent = time.monotonic()
        text, fault = None, ""
        try:
            result: Any = await self._editor.ask("textDocument/inlineCompletion", params)
            text = result["items"][0]["insertText"] if result and result["items"] else None
        except (RuntimeError, TimeoutError) as error:
            fault = str(error) or "no answer"
        return Asked(mark, sent, time.monotonic() - sent, text, fault)

    def _type(self, start: int, end: int, text: str) -> None:
        """One edit of the line."""
        assert self._editor is not None
        self._version += 1
        self._written = self._written[:start] + text + self._written[end:]
        edge = {"line": self._line}
        change = {
            "range": {
                "start": {**edge, "character": start},
                "end": {**edge, "character": end},
            },
            "text": text,
        }
        self._editor.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self._uri, "version": self._version},
                "contentChanges": [change],
            },
        )

    def _text(self) -> str:
        above, below = self._above[: self._line], self._above[self._line + 1 :]
        return "".join([*above, self._written, "\n", *below])
