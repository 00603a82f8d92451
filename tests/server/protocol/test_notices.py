"""What the user is shown, and how often."""

import asyncio

from synconfroute.server.protocol.notices import QUIET_SECONDS, Notices


class Shown:
    """Notices with a clock in hand."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.shown: list[str] = []
        self.noted: list[str] = []
        self.notices = Notices(self.shown.append, self.noted.append, lambda: self.now)


async def test_a_sentence_is_shown_once() -> None:
    """Different ones are all shown, in order."""
    user = Shown()
    for sentence in ("one", "two", "one"):
        user.notices.say(sentence)
    await asyncio.sleep(0)
    assert user.shown == ["one", "two"]


async def test_trouble_that_follows_on_trouble_is_only_noted() -> None:
    """A server that dies is first a broken connection and then one that is refused."""
    user = Shown()
    user.notices.trouble("it broke")
    user.now += QUIET_SECONDS - 1
    user.notices.trouble("nothing answers")
    await asyncio.sleep(0)
    assert user.shown == ["it broke"]
    assert user.noted == ["nothing answers"]


async def test_later_trouble_is_shown_again() -> None:
    """Unless it is the same."""
    user = Shown()
    user.notices.trouble("it broke")
    await asyncio.sleep(0)
    user.now += QUIET_SECONDS
    user.notices.trouble("it broke")
    user.notices.trouble("another thing")
    await asyncio.sleep(0)
    assert user.shown == ["it broke", "another thing"]


async def test_a_sentence_may_come_from_any_thread() -> None:
    """It is shown in the loop's thread."""
    user = Shown()
    await asyncio.to_thread(user.notices.say, "from afar")
    await asyncio.sleep(0)
    assert user.shown == ["from afar"]
