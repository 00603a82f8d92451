"""What the user is shown, and how often."""

import asyncio

from synconfroute.server.completion.troubles import QUIET_SECONDS
from synconfroute.server.protocol.notices import Notices


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


async def test_the_same_trouble_is_only_noted_for_a_while() -> None:
    """A completer that is built anew meets it anew; another thing is shown."""
    user = Shown()
    user.notices.trouble("it broke")
    await asyncio.sleep(0)
    user.now += QUIET_SECONDS - 1
    user.notices.trouble("it broke")
    user.notices.trouble("another thing")
    await asyncio.sleep(0)
    assert user.shown == ["it broke", "another thing"]
    assert user.noted == ["it broke"]


async def test_later_trouble_is_shown_again() -> None:
    """It has healed in between: while it lasts nobody says it twice."""
    user = Shown()
    user.notices.trouble("it broke")
    await asyncio.sleep(0)
    user.now += QUIET_SECONDS
    user.notices.trouble("it broke")
    await asyncio.sleep(0)
    assert user.shown == ["it broke", "it broke"]


async def test_a_sentence_may_come_from_any_thread() -> None:
    """It is shown in the loop's thread."""
    user = Shown()
    await asyncio.to_thread(user.notices.say, "from afar")
    await asyncio.sleep(0)
    assert user.shown == ["from afar"]
