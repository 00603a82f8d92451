"""The user is told of each cause once, until all was well again."""

from synconfroute.server.completion.troubles import QUIET_SECONDS, Troubles


class Told:
    """Troubles by a clock of the test's own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sentences: list[str] = []
        self.troubles = Troubles(self.sentences.append, lambda: self.now)

    def fails(self, cause: str, who: str = "org") -> None:
        """It fails so, and says that it does."""
        self.troubles.failed(who, cause, f"{who}: {cause}")


def test_a_cause_is_told_once_however_long_it_lasts() -> None:
    """For hours, at every request."""
    told = Told()
    for _ in range(100):
        told.fails("key")
        told.now += QUIET_SECONDS / 10
    assert told.sentences == ["org: key"]


def test_what_follows_on_a_failure_is_not_told_at_once() -> None:
    """A server that dies is first a broken connection, then one that is refused."""
    told = Told()
    told.fails("broke")
    told.fails("refused")
    assert told.sentences == ["org: broke"]
    told.now += QUIET_SECONDS
    told.fails("refused")
    told.fails("refused")
    assert told.sentences == ["org: broke", "org: refused"]


def test_what_healed_and_broke_anew_is_told_again() -> None:
    """But not where it does so every other second."""
    told = Told()
    for _ in range(50):
        told.fails("busy")
        told.troubles.well("org")
        told.now += QUIET_SECONDS / 25
    assert told.sentences == ["org: busy", "org: busy"]


def test_each_server_has_its_own_troubles() -> None:
    """What the one fails in says nothing of the other."""
    told = Told()
    told.fails("gone")
    told.fails("gone", who="local")
    told.troubles.well("local")
    told.fails("gone")
    assert told.sentences == ["org: gone", "local: gone"]
