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
from synconfroute.server.completion.local_answers import Draw
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.inline import InlineCompletion
from synconfroute.server.protocol.turns import Turns
from synconfroute.server.settings.tree import Settings, Typing
from tests.server.completion.test_type_through import MADE

URI = "file:///a.py"
TARGET = "alpha = beta + gamma"
OTHER = "zz"
SETTINGS = Settings(typing=Typing(debounce_ms=0))


class Models:
    """Write what leads to the target, or the other text off its way; a character a step."""

    def __init__(self) -> None:
        self.model = "small"
        self.follower: Any = None
        self.breaker: Any = None
        self.running = self.most = self.asked = 0

    def shown(self, request_id: str) -> None:
        """Nothing to note."""

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

    def turned_to(self, hole: Hole) -> None:
        """Nothing to make ready."""

    async def read(self, hole: Hole) -> None:
        """Nothing to read."""

    async def draw(self, hole: Hole, which: int, draw: Draw) -> Answer:
        """Nothing more to say."""
        return Answer(None, MADE)

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
        flow = Flow(self.models, settings=SETTINGS)
        self._inline = InlineCompletion(
            self._documents,
            Turns(spared=0.005),
            lambda: flow,
            lambda *_: None,
            Feedback(lambda *_: None, lambda _: None),
        )
        self._documents.open(types.TextDocumentItem(URI, "python", 1, ""))
        self._requests: list[asyncio.Task[None]] = []
        self._shown = ("", "")
        self._previews = {""}

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

    def takes(self) -> None:
        """Accept what is shown, if it still is; the editor says so a little later."""
        line, text = self._shown
        if text and line == self.line:
            self.writes(text)

    def asks(self, chosen: str | None = None, back: int = 0, *, explicit: bool = False) -> None:
        """A request; what is shown must be right here, and only while it is the newest.

        Args:
            chosen: what an entry of the editor's list adds to the line.
            back: how many characters of the line the entry holds, too.
            explicit: the user asks.
        """
        self.changes += 1
        kind = types.InlineCompletionTriggerKind
        cursor = types.Position(0, len(self.line))
        start = max(0, len(self.line) - back)
        entry = types.SelectedCompletionInfo(
            types.Range(types.Position(0, start), cursor), self.line[start:] + (chosen or "")
        )
        asked = self._inline.arrived(
            types.InlineCompletionParams(
                types.InlineCompletionContext(
                    kind.Invoked if explicit else kind.Automatic,
                    None if chosen is None else entry,
                ),
                types.TextDocumentIdentifier(URI),
                cursor,
            )
        )
        line, changes = self.line, self.changes
        self._previews.add(line + (chosen or ""))

        async def answered() -> None:
            answer = await self._inline.answer(asked)
            if answer is None:
                assert self.changes != changes
                return
            assert self.changes == changes
            (item,) = answer.items
            text = str(item.insert_text)
            if chosen is not None:
                assert text.startswith(entry.text)
                text = text.removeprefix(line[start:])
            assert self._fits(line, text)
            self._shown = (line, text)

        self._requests.append(asyncio.ensure_future(answered()))

    def cancels(self) -> None:
        """Cancel the newest request."""
        if self._requests:
            self.changes += 1
            self._requests[-1].cancel()

    def _fits(self, line: str, shown: str) -> bool:
        """May this be shown behind the line: a text, or the rest of one typed along?"""
        places = {line[:count] for count in range(len(line) + 1)} | self._previews
        return any(line + shown == place + text_at(place) for place in places)

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


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["key", "key", "ask", "ask", "cancel", "wrong", "word"]),
        st.integers(1, 4).map(lambda count: f"back {count}"),
        st.integers(1, 9).map(lambda count: f"pass {count}"),
        st.sampled_from(["take", "explicit"]),
        st.tuples(st.integers(0, 2), st.sampled_from(["q", "1", "2", "3"])).map(
            lambda choice: f"choose {choice[0]} {choice[1]}"
        ),
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
            case ["take"]:
                session.takes()
            case ["explicit"]:
                session.asks(explicit=True)
            case ["choose", back, more]:
                entry = text_at(session.line)[: int(more)] if more.isdigit() else more
                session.asks(entry, int(back))
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


def asked(*steps: str) -> int:
    """How often a model is asked."""
    return asyncio.run(_run([*steps])).models.asked


def test_typing_along_what_is_being_written_asks_once_a_text() -> None:
    """A request with each key, while the model is writing."""
    assert asked("ask", "pass 3", *["key", "ask", "pass 1"] * 4) == 1


def test_an_entry_of_the_editors_list_joins_what_is_being_written() -> None:
    """Two requests a key, the second behind the entry that is previewed: one model call."""
    assert asked("ask", "pass 4", "choose 0 2", "key", "ask", "choose 1 1", "pass 9") == 1
    assert asked("ask", "pass 4", "choose 0 3", "pass 9") == 1


def test_what_is_written_behind_an_entry_goes_on_while_the_entry_is_typed() -> None:
    """The place is the same at each key. Without the entry, in the end, it is another."""
    assert asked("choose 0 3", "pass 4", "key", "ask", "choose 1 2", "pass 9") == 2
    assert asked("pass 2", "key", "ask") == 1


def test_an_entry_that_the_model_would_not_write_is_asked_for_anew() -> None:
    """As soon as the texts part."""
    assert asked("ask", "pass 5", "choose 0 q", *["pass 9"] * 3) == 3


def test_what_comes_after_a_text_that_was_taken_is_made_ahead() -> None:
    """The request that the editor sends then joins it, or finds it made."""
    assert asked("ask", *["pass 9"] * 2, "take", "pass 3") == 2
    assert asked("ask", *["pass 9"] * 2, "take", *["pass 9"] * 3) == 2


def test_a_request_elsewhere_ends_what_is_made_ahead() -> None:
    """The user took a text and typed on otherwise."""
    assert asked("ask", *["pass 9"] * 2, "take", "pass 3", "wrong") == 3
