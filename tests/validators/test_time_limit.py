"""What hangs is ended, by a thread that is there only while it is wanted."""

import threading

from synconfroute.validators.time_limit import TimeLimit

LONG = 30.0


def threads() -> int:
    """How many threads limit anything."""
    return sum(each.name == "synconfroute-parser-time" for each in threading.enumerate())


def test_a_block_that_takes_longer_is_ended() -> None:
    """Once, and only that block."""
    ended = threading.Event()
    calls: list[str] = []
    limit = TimeLimit()

    def second() -> None:
        calls.append("second")
        ended.set()

    with limit.over(LONG, lambda: calls.append("first")):
        pass
    with limit.over(0.02, second):
        assert ended.wait(LONG)
    with limit.over(LONG, lambda: calls.append("third")):
        assert calls == ["second"]
    limit.close()


def test_one_thread_serves_all_blocks() -> None:
    """It is not another one for each."""
    limit = TimeLimit()
    before = threads()
    for _ in range(50):
        with limit.over(LONG, lambda: None):
            assert threads() <= before + 1
    limit.close()


def test_a_shorter_limit_is_kept_behind_a_longer_one() -> None:
    """The thread sleeps for the longer one already."""
    ended = threading.Event()
    limit = TimeLimit()
    with limit.over(LONG, lambda: None):
        pass
    with limit.over(0.02, ended.set):
        assert ended.wait(LONG)
    limit.close()


def test_closing_ends_the_thread() -> None:
    """And it comes again with the next block."""
    limit = TimeLimit()
    before = threads()
    for _ in range(2):
        ended = threading.Event()
        with limit.over(0.01, ended.set):
            assert ended.wait(LONG)
        assert threads() == before + 1
        limit.close()
        assert threads() == before
