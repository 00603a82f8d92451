"""Any order of keys, requests and cancellations: one generation, the newest answered."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.completion.flow import Flow
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.inline import InlineCompletion
from synconfroute.server.protocol.turns import Turns
from tests.server.completion.test_type_through import MADE

URI = "file:///a.py"
TARGET = "alpha = beta + gamma"
OTHER = "zz"


class Models:
    """Write what leads to the target, or the other text off its way; a character a step."""

    def __init__(self) -> None:
        self.model = "small"
        self.follower: Any = None
        self.running = self.most = self.asked = 0

    async def complete(self, hole: Hole, on_text: Callable[[str], None] | None = None) -> Answer:
        """The next characters."""
        assert on_text is not None
        self.asked += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            text = text_at(hole.prefix)
            for count in range(len(text) + 1):
                await asyncio.sleep(0)
                on_text(text[:count])
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            for _ in range(5):  # a stream takes a moment to close
                await asyncio.sleep(0)
            raise
        finally:
            self.running -= 1
        return Answer(text, replace(MADE, request_id=f"r{self.asked}"))

    async def warm(self) -> str:
        """Nothing to warm."""
        return ""

    async def aclose(self) -> None:
        """Nothing to close."""


def text_at(prefix: str) -> str:
    """What the model writes there."""
    return TARGET[len(prefix) :][:6] or OTHER if TARGET.startswith(prefix) else OTHER


class Session:
    """An editor of one line, before the real parts up to the model."""

    def __init__(self) -> None:
        self.models = Models()
        self.line = ""
        self.changes = 0
        self._documents = Documents()
        flow = Flow(self.models, most_wait=0)
        self._inline = InlineCompletion(
            self._documents,
            Turns(spared=0.005),
            lambda: flow,
            lambda *_: None,
            Feedback(lambda *_: None, lambda _: None),
        )
        self._documents.open(types.TextDocumentItem(URI, "python", 1, ""))
        self._requests: list[asyncio.Task[None]] = []

    def writes(self, text: str, back: int = 0) -> None:
        """Put `text` for the last `back` characters."""
        back = min(back, len(self.line))
        start, end = types.Position(0, len(self.line) - back), types.Position(0, len(self.line))
        self.line = self.line[: len(self.line) - back] + text
        self.changes += 1
        params = types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self.changes, URI),
            [types.TextDocumentContentChangePartial(types.Range(start, end), text)],
        )
        assert self._documents.change(params)
        self._inline.edited(params)

    def asks(self) -> None:
        """A request; what is shown must be right here, and only while it is the newest."""
        self.changes += 1
        asked = self._inline.arrived(
            types.InlineCompletionParams(
                types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic),
                types.TextDocumentIdentifier(URI),
                types.Position(0, len(self.line)),
            )
        )
        line, changes = self.line, self.changes

        async def answered() -> None:
            answer = await self._inline.answer(asked)
            if answer is None:
                assert self.changes != changes
                return
            assert self.changes == changes
            (item,) = answer.items
            assert fits(line, str(item.insert_text))

        self._requests.append(asyncio.ensure_future(answered()))

    def cancels(self) -> None:
        """Cancel the newest request."""
        if self._requests:
            self.changes += 1
            self._requests[-1].cancel()

    async def ends(self) -> None:
        """Wait for all requests; the last state must be answered still."""
        self.asks()
        done, _ = await asyncio.wait(self._requests, timeout=10)
        assert len(done) == len(self._requests)
        for task in done:
            if not task.cancelled():
                task.result()
        assert not self._requests[-1].cancelled()
        assert self.models.most == 1


def fits(line: str, shown: str) -> bool:
    """May this be shown behind the line: a text, or the rest of one typed along?"""
    return any(
        line.endswith(typed) and typed + shown == text_at(line.removesuffix(typed))
        for typed in (text_at(line[:start])[: len(line) - start] for start in range(len(line) + 1))
    )


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["key", "key", "ask", "ask", "cancel", "wrong", "word"]),
        st.integers(1, 4).map(lambda count: f"back {count}"),
        st.integers(1, 9).map(lambda count: f"pass {count}"),
    ),
    max_size=40,
)


async def _run(steps: list[str]) -> Session:
    session = Session()
    for step in steps:
        match step.split():
            case ["key"]:
                session.writes(text_at(session.line)[0])
            case ["word"]:
                session.writes(text_at(session.line)[:3])
            case ["wrong"]:
                session.writes("x")
            case ["back", count]:
                session.writes("", back=int(count))
            case ["pass", count]:
                for _ in range(int(count)):
                    await asyncio.sleep(0)
            case ["cancel"]:
                session.cancels()
            case _:
                session.asks()
    await session.ends()
    return session


@settings(max_examples=300, deadline=None)
@given(steps=STEPS)
def test_any_order_of_keys_requests_and_cancellations(steps: list[str]) -> None:
    """What is shown fits where it is shown; null only for what is out of date; one generation."""
    asyncio.run(_run(steps))


def test_typing_along_what_is_being_written_asks_once_a_text() -> None:
    """A request with each key, while the model is writing."""
    session = asyncio.run(_run(["ask", "pass 3", *["key", "ask", "pass 1"] * 4]))
    assert session.models.asked == 1
