"""One warm validator for the tests of this folder, and parser processes that misbehave."""

import sys
from collections.abc import Callable, Iterator

import pytest

from synconfroute.validators import Validator
from synconfroute.validators.parser_process import ParserProcess

_SCRIPTED = """
import os, sys, time
sys.path += {folders!r}
from synconfroute.validators.wire import receive, send
while (request := receive(sys.stdin.buffer)) is not None:
    text = request.get("text", "")
    if text == "hang":
        time.sleep(600)
    elif text == "eat":
        eaten = bytearray(400 << 20)
        time.sleep(600)
    elif text == "die":
        os._exit(3)
    elif text == "shout":
        os.write(1, b"Segmentation fault: this is no message\\n" * 9)
    elif text == "other":
        send(sys.stdout.buffer, {{"id": -1}})
    elif text == "nothing":
        send(sys.stdout.buffer, {{"id": request["id"]}})
    else:
        time.sleep(0.1 * (text == "slow"))
        verdict = {{"outcome": "valid", "reason": text, "evidence": []}}
        send(sys.stdout.buffer, {{"id": request["id"], **verdict}})
"""


@pytest.fixture(scope="module")
def validator() -> Iterator[Validator]:
    """The real thing."""
    running = Validator()
    running.warm()
    yield running
    running.close()


@pytest.fixture
def scripted_command() -> list[str]:
    """The command of a parser process that does what the text says; its reason is the text."""
    script = _SCRIPTED.format(folders=[folder for folder in sys.path if folder])
    return [sys.executable, "-c", script]


@pytest.fixture
def scripted(scripted_command: list[str]) -> Iterator[Validator]:
    """A validator with such a process."""
    running = Validator(ParserProcess(arguments=scripted_command))
    yield running
    running.close()


@pytest.fixture
def validator_of() -> Iterator[Callable[[ParserProcess], Validator]]:
    """Makes validators of a given parser process, and closes them."""
    made: list[Validator] = []

    def make(process: ParserProcess) -> Validator:
        made.append(Validator(process))
        return made[-1]

    yield make
    for each in made:
        each.close()
