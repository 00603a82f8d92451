"""What stays is set apart from collections, and nothing that ended stays for it."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from synconfroute.server.protocol.collector import Collector


class Session:
    """One that is held by a cycle."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Other tests have Python's collector as it is."""
    yield
    gc.unfreeze()


async def until_quiet() -> None:
    """Let it act."""
    for _ in range(5):
        await asyncio.sleep(0.001)


async def test_what_there_is_is_set_apart_once_sessions_have_begun() -> None:
    """Collections then look at what came later only."""
    gc.unfreeze()
    collector = Collector(quiet_s=0)
    collector.begun()
    assert gc.get_freeze_count() == 0
    await until_quiet()
    apart = gc.get_freeze_count()
    assert apart > 1_000
    assert len(gc.get_objects()) < apart
    collector.close()
    assert gc.get_freeze_count() == 0


async def test_a_session_that_ended_does_not_stay() -> None:
    """Even where it was set apart while it lived."""
    collector = Collector(quiet_s=0)
    session = Session()
    gone = weakref.ref(session)
    collector.begun()
    await until_quiet()
    del session
    gc.collect()
    assert gone() is not None
    collector.ended()
    await until_quiet()
    assert gone() is None
    assert gc.get_freeze_count() > 0
    collector.close()


async def test_it_waits_until_sessions_come_and_go_no_more() -> None:
    """A hundred editors that connect one after the other are one occasion."""
    gc.unfreeze()
    collector = Collector(quiet_s=0.2)
    for _ in range(10):
        collector.begun()
        await asyncio.sleep(0.01)
        assert gc.get_freeze_count() == 0
    collector.close()
    await asyncio.sleep(0.25)
    assert gc.get_freeze_count() == 0
