"""What takes long is shown once the editor has made room for it, and taken away in the end."""

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from synconfroute.server.protocol.progress import Progress


class Screen:
    """An editor that shows progress; `room` lets it answer."""

    def __init__(self) -> None:
        self.room = asyncio.Event()
        self.refuses = False
        self.asked: list[str] = []
        self.shown: list[tuple[str, str]] = []

    async def create(self, token: str) -> None:
        """Make room."""
        self.asked.append(token)
        await self.room.wait()
        if self.refuses:
            raise ValueError

    def send(self, token: str, value: Any) -> None:
        """Show it."""
        assert token in self.asked
        title = value.title if isinstance(value, types.WorkDoneProgressBegin) else ""
        self.shown.append((value.kind, title))


async def passed() -> None:
    """Let everything happen that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_work_is_shown_while_it_runs() -> None:
    """From the moment that the editor has made room."""
    screen = Screen()
    progress = Progress(screen.create, screen.send)
    progress.wanted = True
    with progress.working("Work"):
        await passed()
        assert screen.shown == []
        screen.room.set()
        await passed()
        assert screen.shown == [("begin", "Work")]
    assert screen.shown == [("begin", "Work"), ("end", "")]


@pytest.mark.parametrize("refuses", [True, False])
async def test_room_that_comes_too_late_stays_empty(refuses: bool) -> None:
    """Nothing is begun that has ended; a refusal is no error."""
    screen = Screen()
    screen.refuses = refuses
    progress = Progress(screen.create, screen.send)
    progress.wanted = True
    with progress.working("Work"):
        await passed()
    screen.room.set()
    await passed()
    assert screen.shown == []
    assert len(screen.asked) == 1


async def test_a_first_answer_is_shown_as_loading_however_often_it_is_asked_for() -> None:
    """Requests that follow each other while one is awaited are one wait; later ones are none."""
    screen = Screen()
    screen.room.set()
    progress = Progress(screen.create, screen.send, load_s=0)
    progress.wanted = True
    with progress.asked():
        await passed()
        with progress.asked():
            await passed()
        assert screen.shown == [("begin", "Loading the local model")]
    assert screen.shown[-1] == ("end", "")
    progress.loaded = True
    with progress.asked():
        await passed()
    assert len(screen.shown) == 2


async def test_nothing_is_shown_where_nobody_can() -> None:
    """Neither work nor loading."""
    screen = Screen()
    progress = Progress(screen.create, screen.send, load_s=0)
    with progress.asked(), progress.working("Work"):
        await passed()
    assert screen.asked == []
