"""Messages over the pipes to the parser process."""

import io
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.validators import Evidence, Outcome, Verdict
from synconfroute.validators.wire import Garbled, receive, send, verdict_fields, verdict_of

_texts = st.text(alphabet=st.characters(), max_size=40)
_verdicts = st.builds(
    Verdict,
    st.sampled_from(Outcome),
    _texts,
    st.lists(st.builds(Evidence, _texts, _texts, st.integers())).map(tuple),
)


def _framed(body: bytes) -> io.BytesIO:
    return io.BytesIO(struct.pack(">I", len(body)) + body)


@given(messages=st.lists(st.dictionaries(_texts, _texts), max_size=5))
def test_messages_come_out_as_they_went_in(messages: list[dict[str, str]]) -> None:
    """In order, half characters included, and then the end."""
    pipe = io.BytesIO()
    for message in messages:
        send(pipe, message)
    pipe.seek(0)
    # JSON joins two halves that stand side by side.
    assert [receive(pipe) for _ in messages] == json.loads(json.dumps(messages))
    assert receive(pipe) is None


@given(verdict=_verdicts)
def test_a_verdict_comes_out_as_it_went_in(verdict: Verdict) -> None:
    """Outcome, reason and every piece of evidence."""
    pipe = io.BytesIO()
    send(pipe, verdict_fields(verdict))
    pipe.seek(0)
    message = receive(pipe)
    assert message is not None
    joined = json.loads(json.dumps(verdict_fields(verdict)))
    assert verdict_fields(verdict_of(message)) == joined


@given(noise=st.binary(min_size=1, max_size=200))
def test_noise_is_garbled(noise: bytes) -> None:
    """Bytes that are no message never pass for one."""
    with pytest.raises(Garbled):
        receive(_framed(b"[" + noise))
    pipe = io.BytesIO(noise)
    try:
        message = receive(pipe)
    except Garbled:
        return
    assert isinstance(message, dict)


@pytest.mark.parametrize(
    "pipe",
    [
        io.BytesIO(b"\0\0"),
        io.BytesIO(struct.pack(">I", 10) + b"{}"),
        io.BytesIO(struct.pack(">I", 4_000_000_000) + b"{}"),
        _framed(b""),
        _framed(b"[]"),
        _framed(b"null"),
        _framed(b"{'a': 1}"),
        _framed('{"a": "é"}'.encode()),
        _framed(b"[" * 100_000),
    ],
)
def test_half_a_message_is_garbled(pipe: io.BytesIO) -> None:
    """Cut off, too long, no object, no ASCII, nested without end."""
    with pytest.raises(Garbled):
        receive(pipe)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "maybe"},
        {"outcome": None},
        {"outcome": []},
        {"evidence": None},
        {"evidence": [["name", "message"]]},
        {"evidence": [["name", "message", "a"]]},
        {"evidence": [["name", "message", float("inf")]]},
    ],
)
def test_what_is_no_verdict_is_garbled(change: dict[str, object]) -> None:
    """A message whose fields are not a verdict's."""
    good = verdict_fields(Verdict(Outcome.VALID, "fine"))
    assert verdict_of(good) == Verdict(Outcome.VALID, "fine")
    with pytest.raises(Garbled):
        verdict_of({**good, **change})


def test_a_missing_field_is_garbled() -> None:
    """An empty object is no verdict."""
    with pytest.raises(Garbled):
        verdict_of({})
