"""Between typing and the model: what is answered from memory, what waits, what is never asked."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.flow import Flow
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.local_answers import Draw
from synconfroute.server.settings.tree import Limits, Settings
from synconfroute.server.settings.tree import Typing as TypingSettings

HOLE = Hole("python", "def f(a, b):\n    ", "\n", uri="file:///a.py")
TEXT = "return a + b"
SETTINGS = Settings(typing=TypingSettings(debounce_ms=1_000))


class Models:
    """Answers with one text, and takes so long for it."""

    def __init__(self) -> None:
        self.model = "small"
        self.follower: Any = None
        self.breaker: Any = None
        self.text: str | None = TEXT
        self.asked: list[Hole] = []
        self.first_ms = 100.0
        self.further: list[str] = []
        self.drawn = 0
        self.turned: list[Hole] = []
        self.reads = asyncio.Event()
        self.log: list[str] = []

    def shown(self, request_id: str) -> None:
        """Nothing to note."""

    async def complete(self, hole: Hole, on_text: Callable[[str], None] | None = None) -> Answer:
        """The text, told in two pieces."""
        self.asked.append(hole)
        self.log.append("asked")
        if on_text is not None and self.text:
            on_text(self.text[:3])
            on_text(self.text)
        made = Provenance(
            tier=Tier.LOCAL,
            provider="ollama",
            model=self.model,
            confidence=None,
            verdict=None,
            verdict_reason="",
            evidence=(),
            reason=Reason.KEPT if self.text else Reason.EMPTY,
            timings_ms={"local_first_token": self.first_ms},
            tokens_generated=1,
        )
        return Answer(self.text, made)

    def turned_to(self, hole: Hole) -> None:
        """Note it."""
        self.turned.append(hole)

    async def read(self, hole: Hole) -> None:
        """Read until told to stop, or until `reads` is set."""
        self.log.append("reads")
        try:
            await self.reads.wait()
        finally:
            self.log.append("read")

    async def draw(self, hole: Hole, which: int, draw: Draw) -> Answer:
        """The next of the further texts."""
        self.drawn += 1
        answer = await self.complete(hole)
        self.asked.pop()
        text = self.further.pop(0) if self.further else None
        made = replace(answer.provenance, request_id=f"d{which}", alternative=which)
        return Answer(text, made)

    async def warm(self) -> str:
        """Nothing to warm."""
        return ""

    async def aclose(self) -> None:
        """Nothing to close."""


class Typist:
    """A user before a flow; time passes only by the user's keys and by waits."""

    def __init__(self, settings: Settings = SETTINGS) -> None:
        self.now = 0.0
        self.models = Models()
        self.slept: list[float] = []
        self.told: list[str] = []
        self.flow = Flow(self.models, settings=settings, clock=lambda: self.now, sleep=self.sleep)

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        assert seconds > 0
        self.slept.append(seconds)
        self.now += seconds

    def types(self, keys: int, gap: float) -> None:
        """So many keys."""
        for _ in range(keys):
            self.now += gap
            self.flow.typed()

    async def asks(self, hole: Hole) -> str | None:
        """The text that a hole is answered with."""
        return (await self.flow.complete(hole, self.told.append)).text


def behind(text: str, **changes: Any) -> Hole:
    """The hole behind what was typed."""
    return replace(HOLE, prefix=HOLE.prefix + text, **changes)


async def test_a_shown_text_typed_key_by_key_asks_a_model_once() -> None:
    """Forth and back again, and a wrong key taken back."""
    typist = Typist()
    assert await typist.asks(HOLE) == TEXT
    for count in [*range(1, len(TEXT)), *range(len(TEXT) - 1, -1, -1)]:
        assert await typist.asks(behind(TEXT[:count])) == TEXT[count:]
    assert len(typist.models.asked) == 1
    await typist.asks(behind("rex"))
    assert await typist.asks(behind("re")) == TEXT[2:]
    assert len(typist.models.asked) == 2


async def test_a_text_typed_to_its_end_is_followed_by_a_new_one() -> None:
    """Nothing is left of it."""
    typist = Typist()
    await typist.asks(HOLE)
    typist.models.text = " + 1"
    assert await typist.asks(behind(TEXT)) == " + 1"


async def test_another_model_is_asked_anew() -> None:
    """As when the engine takes over from an Ollama that went away."""
    typist = Typist()
    await typist.asks(HOLE)
    typist.models.model = "other"
    await typist.asks(HOLE)
    assert len(typist.models.asked) == 2


async def test_nothing_to_show_is_asked_for_again() -> None:
    """The next request may have better luck: the server may be up again."""
    typist = Typist()
    typist.models.text = None
    assert await typist.asks(HOLE) is None
    typist.models.text = TEXT
    assert await typist.asks(HOLE) == TEXT


async def test_no_model_is_asked_unasked_within_a_line() -> None:
    """But at once where the user asks, and a text that is known is shown all the same."""
    typist = Typist()
    within = replace(HOLE, prefix="x = f(", suffix="first, second)\n")
    answer = await typist.flow.complete(within, typist.told.append)
    assert answer.text is None
    assert answer.provenance.reason is Reason.UNWANTED
    assert typist.models.asked == []
    assert typist.told == []
    asked = replace(within, explicit=True)
    assert await typist.asks(asked) == TEXT
    assert await typist.asks(within) == TEXT
    assert len(typist.models.asked) == 1


async def test_the_text_is_told_as_it_grows() -> None:
    """First that a model is asked now; of a text from memory nothing."""
    typist = Typist()
    await typist.asks(HOLE)
    assert typist.told == ["", "ret", TEXT]
    await typist.asks(HOLE)
    assert typist.told == ["", "ret", TEXT]


async def test_an_automatic_request_waits_for_the_next_key_of_a_fast_typist() -> None:
    """Where the model would be interrupted; what the user asks for and what is known do not."""
    typist = Typist()
    typist.models.first_ms = 1_000
    await typist.asks(HOLE)
    typist.types(10, gap=0.1)
    await typist.asks(HOLE)
    await typist.asks(behind("x", explicit=True))
    assert typist.slept == []
    await typist.asks(behind("y"))
    assert len(typist.slept) == 1
    assert 0.1 < typist.slept[0] < 0.2
    typist.now += 0.01
    await typist.asks(behind("z"))
    assert len(typist.slept) == 1


async def test_a_wait_that_is_cancelled_asks_nobody() -> None:
    """The next key came in time."""
    typist = Typist()
    typist.models.first_ms = 1_000
    await typist.asks(HOLE)
    typist.types(10, gap=0.1)
    waiting = asyncio.Event()

    async def endless(_seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    typist.flow._sleep = endless
    typist.told.clear()
    task = asyncio.ensure_future(typist.asks(behind("x")))
    await waiting.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert typist.told == []
    assert len(typist.models.asked) == 1


async def test_further_texts_come_only_where_the_user_asks() -> None:
    """All of them are remembered, and typing along any asks nobody."""
    typist = Typist()
    typist.models.further = ["return b", "pass"]
    assert await typist.asks(HOLE) == TEXT
    assert typist.models.drawn == 0
    answer = await typist.flow.complete(replace(HOLE, explicit=True), typist.told.append)
    assert [each.text for each in (answer, *answer.others)] == [TEXT, "return b", "pass"]
    assert len(typist.models.asked) == 2
    assert await typist.asks(behind("pa")) == "ss"
    assert await typist.asks(behind("return ", explicit=True)) == "a + b"
    assert len(typist.models.asked) == 2
    assert typist.models.drawn == 2


async def test_further_texts_can_be_switched_off() -> None:
    """`limits.alternatives` = 0."""
    typist = Typist(replace(SETTINGS, limits=Limits(alternatives=0)))
    answer = await typist.flow.complete(replace(HOLE, explicit=True), typist.told.append)
    assert answer.others == ()
    assert typist.models.drawn == 0


async def test_what_is_cancelled_among_further_texts_leaves_the_first() -> None:
    """The user typed on along the text that was there already."""
    typist = Typist()
    drawing = asyncio.Event()

    async def endless(_hole: Hole, _which: int, _draw: Draw) -> Answer:
        drawing.set()
        await asyncio.Event().wait()
        raise AssertionError

    typist.flow._alternatives._draw = endless
    task = asyncio.ensure_future(typist.asks(replace(HOLE, explicit=True)))
    await drawing.wait()
    task.cancel()
    await asyncio.wait({task})
    assert await typist.asks(behind("ret")) == "urn a + b"
    assert len(typist.models.asked) == 1


async def test_what_is_asked_ahead_waits_for_no_key_and_is_remembered() -> None:
    """The request that comes then is answered from memory."""
    typist = Typist()
    typist.models.first_ms = 1_000
    await typist.asks(HOLE)
    typist.types(10, gap=0.1)
    typist.models.text = " + c"
    await typist.asks(behind(TEXT, ahead=True))
    assert typist.slept == []
    assert await typist.asks(behind(TEXT)) == " + c"
    assert len(typist.models.asked) == 2


async def test_nothing_is_asked_ahead_where_nothing_would_be_asked_for() -> None:
    """As inside a word."""
    typist = Typist()
    await typist.asks(behind("x", suffix="y\n", ahead=True))
    assert typist.models.asked == []
