"""What is done while the model decodes, so that judging finds it done."""

import asyncio
import sys

from synconfroute.validators import Outcome, Validator, Verdict
from synconfroute.validators.parser_process import ParserProcess
from tests.validators.open_buffer import OpenBuffer

_COUNTING = """
import sys; sys.path[:] = {path!r}
from synconfroute.validators import worker
from synconfroute.validators.buffer import Buffer
from synconfroute.validators.verdict import Outcome, Verdict
asked = []
def judge(buffer, offset, text):
    if offset:
        asked.append((offset, text))
    return Verdict(Outcome.VALID, repr(asked))
Buffer.judge = judge
worker.main(1 << 30)
"""


async def test_preparing_tries_the_spot_before_a_text_is_there() -> None:
    """The parser has judged nothing at the spot when the question comes."""
    command = [sys.executable, "-c", _COUNTING.format(path=sys.path)]
    validator = Validator(ParserProcess(arguments=command))
    buffer = OpenBuffer("def f(a):\n    return a\n")
    validator.open(buffer.key, "python", buffer)
    spot = buffer.spot(1, 4)
    validator.prepare(spot)
    verdict = await validator.judge(spot, "x", deadline=20)
    await asyncio.to_thread(validator.close)
    assert verdict == Verdict(Outcome.VALID, "[(14, ''), (14, 'x')]")


def test_the_first_start_is_not_counted() -> None:
    """A verdict wanted within the time of a verdict is had, though the parser must start first."""
    slow = "import time; time.sleep(1.5);" + _COUNTING.format(path=sys.path)
    validator = Validator(ParserProcess(arguments=[sys.executable, "-c", slow]))
    verdict = validator.validate_blocking("python", "x = ", "1", "\n", deadline=1)
    validator.close()
    assert verdict.outcome is Outcome.VALID
