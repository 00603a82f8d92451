"""A request takes what is ready, and waits for nothing else."""

import asyncio
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import psutil
import pytest

from synconfroute.server.completion.context.open_documents import (
    MOST_SHOWN,
    MOST_TOGETHER,
    OpenDocuments,
)
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.question import Question
from synconfroute.server.completion.context.reading import Reading
from synconfroute.server.completion.context.supply import LOOK_S, Supply
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Context
from synconfroute.validators.child import ChildFailed
from synconfroute.validators.line_text import Splice
from tests.server.completion.context.workspace import Tree

SECONDS = 60.0


class Buffer:
    """An open document."""

    def __init__(self, path: str | None, text: str) -> None:
        self.path, self.text = path, text
        self.revision = self.reads = 0

    @property
    def size(self) -> int:
        """How many characters."""
        return len(self.text)


class Scripted(Reading):
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, Future[list[Piece]]]] = []
        self.warmed = 0

    def warm(self) -> None:
        """Count it."""
        self.warmed += 1

    def ask(self, question: Question) -> "Future[list[Piece]]":
        """Wait for the test."""
        answer: Future[list[Piece]] = Future()
        self.asked.append((question, answer))
        return answer

    def close(self) -> None:
        """Nothing to close."""


class World:
    """A supply with a scripted reader and a clock of its own."""

    def __init__(self, **settings: object) -> None:
        self.now = 0.0
        self.reading = Scripted()
        chosen = Context(**{"enabled": True, "deadline_ms": 0, **settings})  # type: ignore[arg-type]
        self.supply = Supply(chosen, reading=self.reading, clock=lambda: self.now)
        self.supply.folders([Path("/work")])

    async def names(self, prefix: str, **more: object) -> list[str]:
        """What goes into a prompt at the end of a text."""
        hole = Hole("python", prefix, "", path="/project/a.py", uri="a", **more)  # type: ignore[arg-type]
        return [each.name for each in await self.supply.pieces(hole)]

    def answer(self, *names: str) -> None:
        """Let the reader answer what it was asked last."""
        found = [Piece(f"/project/{n}.py", f"{n}.py", f"def {n}(): ...", 0, 0, n) for n in names]
        self.reading.asked[-1][1].set_result(found)


async def test_a_request_goes_without_what_is_not_ready() -> None:
    """The next one has it."""
    world = World()
    assert await world.names("x = ") == []
    world.answer("one", "two")
    assert await world.names("x = ") == ["one", "two"]


async def test_the_first_request_waits_for_its_deadline_at_most() -> None:
    """It takes what comes within, and no later one waits."""
    world = World(deadline_ms=5_000)
    asked = asyncio.ensure_future(world.names("x = "))
    await asyncio.sleep(0)
    world.answer("one")
    assert await asyncio.wait_for(asked, SECONDS) == ["one"]
    world.now = 1.0
    assert await asyncio.wait_for(world.names("x = \n"), SECONDS) == ["one"]
    assert not world.reading.asked[-1][1].done()


async def test_typing_on_a_line_asks_nothing_and_changes_nothing() -> None:
    """However many keys; a new line asks once, and so does a long stay."""
    world = World()
    await world.names("x")
    world.answer("one", "two")
    for count in range(50):
        world.now += LOOK_S / 100
        assert await world.names("x" * (count + 1)) == ["one", "two"]
    assert len(world.reading.asked) == 1
    await world.names("x\n")
    await world.names("x\ny")
    assert len(world.reading.asked) == 2
    world.answer("two", "one")
    world.now += LOOK_S
    assert await world.names("x\ny") == ["one", "two"]
    assert len(world.reading.asked) == 3


async def test_a_name_typed_brings_its_definition_in() -> None:
    """Right on the line that names it, without the reader."""
    world = World(tokens=32)
    await world.names("x = ")
    world.answer("one", "two")
    assert await world.names("x = ") == ["one"]
    assert await world.names("x = two(") == ["two"]
    assert len(world.reading.asked) == 1


async def test_where_it_is_off_nothing_is_looked_for() -> None:
    """Off, without a folder, or for a document without a path."""
    off = World(enabled=False)
    off.supply.warm()
    off.supply.open("b", Buffer("/project/b.py", "x\n"))
    assert await off.names("x = ") == []
    homeless = World()
    homeless.supply.folders([])
    assert await homeless.names("x = ") == []
    unnamed = Hole("python", "x = ", "", uri="a")
    assert await World().supply.pieces(unnamed) == ()
    assert (off.reading.asked, off.reading.warmed, homeless.reading.asked) == ([], 0, [])


async def test_a_document_at_which_the_reader_failed_rests() -> None:
    """Longer each time; what stood in its prompts stays."""
    world = World()
    rests = []
    for _ in range(3):
        began, count = world.now, len(world.reading.asked)
        while len(world.reading.asked) == count:
            await world.names("x" + "\n" * count)
            world.now += 0.5
        rests.append(world.now - began)
        world.reading.asked[-1][1].set_exception(ChildFailed("killed"))
        await world.names("x")
    assert rests[0] <= 1.0 < rests[1] < rests[2]


async def test_other_documents_and_their_edits_are_shown_to_the_reader() -> None:
    """The one used last first; not the one being completed, nor one without a path."""
    world = World()
    for key, path in (
        ("a", "/project/a.py"),
        ("b", "/project/b.py"),
        ("c", "/project/c.py"),
        ("d", None),
    ):
        world.supply.open(key, Buffer(path, "1\r\n2\n3\n"))
    world.supply.edit("b", Splice(1, 2, "2\n"))
    await world.names("x")
    question, _ = world.reading.asked[-1]
    assert [(each.path, each.text, each.edits) for each in question.shown] == [
        ("/project/b.py", "1\n2\n3\n", ((1, 1),)),
        ("/project/c.py", "1\n2\n3\n", ()),
    ]
    world.supply.forget("b")
    world.now = LOOK_S
    world.answer()
    await world.names("x")
    assert [each.path for each in world.reading.asked[-1][0].shown] == ["/project/c.py"]


def test_what_is_shown_is_bounded() -> None:
    """Documents and characters, however many are open; a text is read once a revision."""
    documents = OpenDocuments()
    for number in range(50):
        documents.open(f"{number}", Buffer(f"/project/{number}.py", "x" * 200_000))
    shown = documents.beside("x")
    assert sum(len(each.text) for each in shown) <= MOST_TOGETHER
    assert len(shown) <= MOST_SHOWN
    documents.open("long", Buffer("/project/long.py", "x" * 300_000))
    assert "/project/long.py" not in [each.path for each in documents.beside("x")]


def test_what_is_shown_can_be_sent() -> None:
    """Half a character, as an editor may send it, stands in no encoding."""
    documents = OpenDocuments()
    documents.open("a", Buffer("/project/a.py", "a\ud800b\r\nc\rd"))
    (shown,) = documents.beside("x")
    assert shown.text == "a\ufffdb\nc\nd"


async def test_a_long_document_is_shown_in_part() -> None:
    """Its head, where the imports are, and what stands around the cursor."""
    world = World()
    await world.names("import first\n" + "x = 1\n" * 100_000 + "last = ")
    question, _ = world.reading.asked[-1]
    assert len(question.prefix) < 150_000
    assert question.prefix.startswith("import first\n")
    assert question.prefix.endswith("last = ")


@pytest.fixture
def reading() -> Iterator[Reading]:
    """The real reader's process."""
    one = Reading(seconds=5.0)
    yield one
    one.close()


def test_the_process_answers(reading: Reading, tree: Tree) -> None:
    """A question goes to another process and comes back as pieces."""
    tree.write("lib.py", "def go(speed: int) -> None:\n    pass\n")
    tree.write("app.py", "from lib import go\ngo(⟦⟧")
    (piece,) = reading.ask(tree.question("app.py")).result(SECONDS)
    assert (piece.path, piece.text, piece.needed) == (
        "lib.py", "def go(speed: int) -> None: ...", True,
    )  # fmt: skip


def test_a_hostile_file_ends_the_process_and_not_us(tree: Tree) -> None:
    """A question that takes too long fails; the next one is answered by another process."""
    reading = Reading(seconds=0.3)
    try:
        tree.write("app.py", "\n".join(f"from m{n} import x{n}" for n in range(200)))
        reading.ask(tree.question("app.py")).exception(SECONDS)
        for number in range(60):
            tree.write(f"m{number}.py", "x = [" + "(1, 2)," * 35_000 + "]\n")
        error = reading.ask(tree.question("app.py")).exception(SECONDS)
        assert isinstance(error, ChildFailed)
        tree.write("small.py", "x = 1\n")
        assert reading.ask(tree.question("small.py")).exception(SECONDS) is None
    finally:
        reading.close()


@pytest.mark.skipif(sys.platform == "darwin", reason="there the limit is watched, not enforced")
def test_the_process_is_held_to_its_memory(tree: Tree) -> None:
    """A question that would take more is answered without, or fails; the next one works."""
    reading = Reading(memory_limit=160 << 20, seconds=20.0)
    try:
        for number in range(30):
            tree.write(f"m{number}.py", f"x{number} = [" + "(1, 2)," * 30_000 + "]\n")
        tree.write("app.py", "\n".join(f"from m{n} import x{n}" for n in range(30)))
        reading.ask(tree.question("app.py")).exception(SECONDS)
        assert reading.pid is None or psutil.Process(reading.pid).memory_info().rss < 160 << 20
        tree.write("small.py", "x = 1\n")
        assert reading.ask(tree.question("small.py")).exception(SECONDS) is None
    finally:
        reading.close()


def test_closing_fails_what_was_asked(tree: Tree) -> None:
    """At once, and so does what is asked later."""
    tree.write("app.py", "x")
    reading = Reading()
    asked = reading.ask(tree.question("app.py"))
    began = time.monotonic()
    reading.close()
    asked.exception(SECONDS)
    assert isinstance(reading.ask(tree.question("app.py")).exception(SECONDS), ChildFailed)
    assert time.monotonic() - began < SECONDS
