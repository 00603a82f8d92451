"""Sessions of one server share parser processes, and nothing else."""

import psutil
import pytest

from synconfroute.validators import Validator
from synconfroute.validators.line_text import LineText, Splice
from synconfroute.validators.mirror import Spot
from synconfroute.validators.parsers import MOST_SESSIONS, Parsers, Share
from synconfroute.validators.verdict import Outcome

pytestmark = pytest.mark.timeout(120)


class _Buffer:
    """A buffer as its owner keeps it."""

    def __init__(self, text: str) -> None:
        self._lines = LineText(text)
        self.revision = 1

    @property
    def text(self) -> str:
        """All of it."""
        return self._lines.text

    @property
    def size(self) -> int:
        """Its length."""
        return len(self._lines.text)

    def splice(self, edit: Splice) -> None:
        """Change it."""
        self._lines.splice([edit])
        self.revision += 1


async def _outcome(share: Share, buffer: _Buffer, line: int, text: str) -> Outcome:
    verdict = await share.judge(Spot("a", buffer.revision, line, 4), text, deadline=30)
    assert verdict is not None
    return verdict.outcome


async def test_buffers_of_one_name_are_each_their_sessions_own() -> None:
    """A text that is whole in one session's buffer may be none in the other's of the same name."""
    parsers = Parsers()
    one, other = parsers.join(), parsers.join()
    try:
        whole, open_bracket = _Buffer("def f():\n    \n"), _Buffer("g(\n    \n)\n")
        one.open("a", "python", whole)
        other.open("a", "python", open_bracket)
        assert await _outcome(one, whole, 1, "return 1") is Outcome.VALID
        assert await _outcome(other, open_bracket, 1, "return 1") is Outcome.INVALID
        edit = Splice(0, 1, "h = (\n")
        whole.splice(edit)
        one.edit("a", edit)
        assert await _outcome(one, whole, 1, "return 1") is Outcome.INVALID
        assert await _outcome(other, open_bracket, 1, "x=1") is Outcome.VALID
        assert one.pid == other.pid
    finally:
        one.close()
        other.close()


async def test_a_process_ends_with_its_last_session() -> None:
    """One that leaves takes its own buffers along and leaves the others theirs."""
    parsers = Parsers()
    one, other = parsers.join(), parsers.join()
    buffer = _Buffer("def f():\n    \n")
    other.open("a", "python", buffer)
    assert await _outcome(other, buffer, 1, "return 1") is Outcome.VALID
    process = psutil.Process(other.pid)
    one.close()
    one.close()
    assert await _outcome(other, buffer, 1, "return") is Outcome.VALID
    assert process.is_running()
    other.close()
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_no_process_is_shared_by_too_many() -> None:
    """The next session begins another; one that has left makes room."""
    made: list[Validator] = []

    def make() -> Validator:
        made.append(Validator())
        return made[-1]

    parsers = Parsers(make)
    shares = [parsers.join() for _ in range(MOST_SESSIONS)]
    assert len(made) == 1
    shares += [parsers.join() for _ in range(MOST_SESSIONS)]
    assert len(made) == 2
    shares.pop(0).close()
    shares.append(parsers.join())
    assert len(made) == 2
    shares.append(parsers.join())
    assert len(made) == 3
    for share in shares:
        share.close()
