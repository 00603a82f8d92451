"""The stage that editors' tests stand on, tried without an editor."""

import asyncio
import hashlib

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.editor import SECONDS, editor, until
from tests.e2e.editors.keys import fast_typing
from tests.e2e.editors.script import fresh, is_fresh
from tests.e2e.editors.stage import COMMAND, Stage, digest_of, faults_in

URI = "file:///work/a.py"


async def test_the_local_model_answers_for_the_line_at_the_cursor(stage: Stage) -> None:
    """Another line, another text, and the rest of a text that is typed along is fresh too."""
    async with editor(COMMAND, stage.env()) as session:
        session.open(URI, "value = al\nother = be\n")
        first = await session.text(URI, 0, 10)
        second = await session.text(URI, 1, 10)
    assert first == fresh("value = al")
    assert second == fresh("other = be") != first
    assert is_fresh("value = al" + first[:3], first[3:])
    assert not is_fresh("value = alx", first)
    assert stage.local.asked[-2:] == ["value = al", "other = be"]
    assert stage.faults() == []


async def test_an_unsure_line_is_answered_by_the_organisation(stage: Stage) -> None:
    """Its text bears the organisation's mark."""
    before = len(stage.org.asked)
    async with editor(COMMAND, stage.env()) as session:
        session.open(URI, "unsure = al\n")
        text = await session.text(URI, 0, 11)
    assert text == "_org" + fresh("unsure = al")
    assert len(stage.org.asked) == before + 1


async def test_hanging_up_is_counted(stage: Stage) -> None:
    """A cancelled request closes the model's stream."""
    before = stage.local.hung_up
    stage.local.delay = 15.0
    try:
        async with editor(COMMAND, stage.env()) as session:
            session.open(URI, "slow = al\n")
            asked = len(stage.local.asked)
            pending = session.begin(URI, 0, 9, explicit=True, name="one")
            await until(lambda: len(stage.local.asked) > asked, "the request")
            session.client.cancel_request(types.CancelParams(id="one"))
            await until(lambda: stage.local.hung_up == before + 1, "the end of the stream")
            with pytest.raises(JsonRpcException):
                await asyncio.wait_for(pending, SECONDS)
    finally:
        stage.local.delay = 0.05


def test_faults_are_found_in_any_log() -> None:
    """Errors and tracebacks are, what only speaks of an error is not."""
    log = "t INFO 1 no error\nt ERROR 1 oh\nTraceback (most recent call last):\nKeyError: 'x'\n"
    assert faults_in(log) == log.splitlines()[1:]


def test_a_digest_is_the_same_for_all_line_ends() -> None:
    """Characters are counted as code points."""
    assert digest_of("𝒳\r\na\r") == digest_of("𝒳\na\n")
    assert digest_of("𝒳\na") == {
        "characters": 3,
        "sha256": hashlib.sha256("𝒳\na".encode()).hexdigest(),
    }


def test_a_minute_of_keys_lasts_a_minute() -> None:
    """Always the same keys, whose pauses add up."""
    keys = list(fast_typing(60))
    assert keys == list(fast_typing(60))
    assert 59 < sum(key.pause for key in keys) <= 60
    assert len(keys) > 500
