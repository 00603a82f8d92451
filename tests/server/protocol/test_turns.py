"""One generation a document, and the newest request wins: held by order and state alone."""

import asyncio
import gc

import pytest

from synconfroute.server.protocol.turns import Turns


class Work:
    """Work that runs until it is let go, and takes a moment to close."""

    running = 0
    most = 0

    def __init__(self, result: str) -> None:
        self.result = result
        self.started = asyncio.Event()
        self.go_on = asyncio.Event()
        self.may_close = asyncio.Event()
        self.may_close.set()
        self.closed = asyncio.Event()
        Work.running = Work.most = 0

    async def __call__(self) -> str:
        """Run; count how many run at once."""
        Work.running += 1
        Work.most = max(Work.most, Work.running)
        self.started.set()
        try:
            await self.go_on.wait()
        finally:
            await self.may_close.wait()
            self.closed.set()
            Work.running -= 1
        return self.result


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_newest_request_is_answered_and_the_older_are_not() -> None:
    """Each newer one closes the one before; none starts before the older one has closed."""
    turns = Turns()
    works = [Work(str(number)) for number in range(5)]
    tasks = []
    for work in works:
        tasks.append(asyncio.ensure_future(turns.run(turns.enter("a"), work)))
        await settle()
    await works[-1].started.wait()
    works[-1].go_on.set()
    assert await asyncio.gather(*tasks) == [None, None, None, None, "4"]
    assert Work.most == 1
    started = [work for work in works if work.started.is_set()]
    assert len(started) == len(works)
    assert all(work.closed.is_set() for work in started)


async def test_a_closing_that_takes_long_is_waited_for_and_not_broken_into() -> None:
    """Further requests, edits and cancellations leave the closing of a stream alone."""
    turns = Turns()
    slow, next_one = Work("slow"), Work("next")
    slow.may_close.clear()
    first = asyncio.ensure_future(turns.run(turns.enter("a"), slow))
    await slow.started.wait()
    turns.drop("a")
    await asyncio.sleep(0)
    second = asyncio.ensure_future(turns.run(turns.enter("a"), next_one))
    await asyncio.sleep(0)
    first.cancel()
    await settle()
    assert not slow.closed.is_set()
    assert not next_one.started.is_set()
    slow.may_close.set()
    await next_one.started.wait()
    assert slow.closed.is_set()
    next_one.go_on.set()
    assert await second == "next"
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_an_edit_makes_a_running_request_worthless() -> None:
    """It is closed and answered with nothing; the next request runs."""
    turns = Turns()
    work = Work("old")
    task = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a")
    assert await task is None
    assert work.closed.is_set()
    after = Work("new")
    after.go_on.set()
    assert await turns.run(turns.enter("a"), after) == "new"


async def test_an_edit_between_arrival_and_start_counts() -> None:
    """The work of a request that is out of date already is never begun."""
    turns = Turns()
    turn = turns.enter("a")
    turns.drop("a")
    work = Work("old")
    assert await turns.run(turn, work) is None
    assert not work.started.is_set()


async def test_a_cancelled_request_ends_its_work_first() -> None:
    """When the cancellation is through, the stream is closed."""
    turns = Turns()
    work = Work("x")
    task = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.closed.is_set()


async def test_documents_do_not_wait_for_each_other() -> None:
    """Two documents run at the same time, and neither takes the other's turn."""
    turns = Turns()
    one, other = Work("one"), Work("other")
    tasks = [
        asyncio.ensure_future(turns.run(turns.enter("a"), one)),
        asyncio.ensure_future(turns.run(turns.enter("b"), other)),
    ]
    await one.started.wait()
    await other.started.wait()
    one.go_on.set()
    other.go_on.set()
    assert await asyncio.gather(*tasks) == ["one", "other"]


async def test_a_fault_in_the_work_is_raised_and_frees_the_document() -> None:
    """The next request of the same document runs."""
    turns = Turns()

    async def broken() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await turns.run(turns.enter("a"), broken)
    work = Work("x")
    work.go_on.set()
    assert await turns.run(turns.enter("a"), work) == "x"


async def test_nothing_is_kept_of_documents_that_nobody_asks_for() -> None:
    """A session of days opens thousands of documents."""
    turns = Turns()
    work = Work("x")
    work.go_on.set()
    await turns.run(turns.enter("a"), work)
    await asyncio.sleep(0)
    gc.collect()
    assert len(turns) == 0


async def test_spared_work_is_joined_by_the_next_request() -> None:
    """The request that it ran for is answered with nothing at once."""
    turns = Turns()
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    assert await older is None
    newer = asyncio.ensure_future(turns.join(turns.enter("a", spare=True)))
    await settle()
    work.go_on.set()
    assert await newer == "made"
    assert work.closed.is_set()


async def test_a_late_cancellation_leaves_spared_work_alone() -> None:
    """Edit and cancellation read at once: the older request goes, what it began stays."""
    turns = Turns()
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    older.cancel()
    with pytest.raises(asyncio.CancelledError):
        await older
    assert not work.closed.is_set()
    turn = turns.enter("a", spare=True)
    work.go_on.set()
    assert await turns.join(turn) == "made"


async def test_whoever_joined_may_cancel() -> None:
    """Then it is the joined work that is closed."""
    turns = Turns()
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    newer = asyncio.ensure_future(turns.join(turns.enter("a", spare=True)))
    assert await older is None
    newer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await newer
    assert work.closed.is_set()


async def test_spared_work_that_nobody_joins_is_ended() -> None:
    """The user has gone on to something else."""
    turns = Turns(spared=0.01)
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    assert await older is None
    await asyncio.wait_for(work.closed.wait(), 5)


async def test_spared_work_ends_with_the_request_that_would_have_joined_it() -> None:
    """The request took its turn and was cancelled before its first step."""
    turns = Turns(spared=60)
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    assert await older is None
    turns.give_up(turns.enter("a", spare=True))
    await asyncio.wait_for(work.closed.wait(), 5)


async def test_a_request_that_lost_its_turn_gives_up_nothing() -> None:
    """What runs is another's."""
    turns = Turns()
    lost = turns.enter("a")
    work = Work("made")
    newer = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.give_up(lost)
    await settle()
    assert not work.closed.is_set()
    work.go_on.set()
    assert await newer == "made"


async def test_joined_work_is_not_ended_for_want_of_a_request() -> None:
    """The time runs only while nobody waits for it."""
    turns = Turns(spared=0.01)
    work = Work("made")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    newer = asyncio.ensure_future(turns.join(turns.enter("a", spare=True)))
    assert await older is None
    await asyncio.sleep(0.05)
    assert not work.closed.is_set()
    work.go_on.set()
    assert await newer == "made"


async def test_work_that_is_stopped_gives_the_joined_request_its_own_turn() -> None:
    """The text turned out another: nothing is joined, and the new work begins after its end."""
    turns = Turns()
    work, own = Work("made"), Work("own")
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    assert await older is None
    turn = turns.enter("a", spare=True)
    joined = asyncio.ensure_future(turns.join(turn))
    await settle()
    turns.stop("a")
    assert await joined is None
    assert work.closed.is_set()
    own.go_on.set()
    assert await turns.run(turn, own) == "own"


async def test_a_request_that_spares_nothing_ends_spared_work_first() -> None:
    """One generation a document, also where the older one was spared."""
    turns = Turns()
    work, own = Work("made"), Work("own")
    own.go_on.set()
    older = asyncio.ensure_future(turns.run(turns.enter("a"), work))
    await work.started.wait()
    turns.drop("a", spare=True)
    assert await older is None
    assert await turns.run(turns.enter("a"), own) == "own"
    assert work.closed.is_set()
    assert Work.most == 1


async def test_a_document_is_free_while_nobody_waits_and_nothing_runs() -> None:
    """A request that waits, work that runs, and work that closes take it."""
    turns = Turns()
    assert turns.is_free("a")
    turn = turns.enter("a")
    assert not turns.is_free("a")
    assert turns.is_free("b")
    work = Work("one")
    work.may_close.clear()
    running = asyncio.ensure_future(turns.run(turn, work))
    await work.started.wait()
    turns.drop("a")
    assert not turns.is_free("a")
    work.may_close.set()
    assert await running is None
    await work.closed.wait()
    await settle()
    assert turns.is_free("a")
