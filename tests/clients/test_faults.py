"""HTTP statuses and error bodies as this project's errors."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.faults import Peer, from_error, from_status
from synconfroute.errors import (
    KeyRefused,
    ModelMissing,
    ModelServerError,
    PromptTooLong,
    RequestRefused,
    ServerBusy,
    ServerFault,
    ServerUnreachable,
)

PEER = Peer("The model server", "https://h.example/v1", "m", missing="correct its name")
NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


def body(message: str, **members: Any) -> bytes:
    """An error object as servers send it."""
    return json.dumps({"error": {"message": message, **members}}).encode()


@pytest.mark.parametrize(
    ("status", "content", "error"),
    [
        (400, body("bad", type="BadRequestError"), RequestRefused),
        (400, body("This model's maximum context length is 9 tokens."), PromptTooLong),
        (400, body("Your prompt exceeds the Context window"), PromptTooLong),
        (400, body("", type="exceed_context_size_error"), PromptTooLong),
        (400, body("x", code="context_length_exceeded"), RequestRefused),
        (401, b'{"error":"Unauthorized"}', KeyRefused),
        (403, b"<html>Forbidden</html>", KeyRefused),
        (404, b'{"error":"Model \'m\' not found. Available models: a"}', ModelMissing),
        (404, body("The model `m` does not exist.", param="model"), ModelMissing),
        (404, b'{"detail":"Not Found"}', RequestRefused),
        (404, b"404 page not found", RequestRefused),
        (404, b"", RequestRefused),
        (405, b"", RequestRefused),
        (407, b"", ServerUnreachable),
        (413, b"too large", PromptTooLong),
        (422, b'{"detail":[{"loc":["body"]}]}', RequestRefused),
        (429, b"rate limited", ServerBusy),
        (500, b"oops", ServerFault),
        (502, b"<html>Bad Gateway</html>", ServerFault),
        (503, b"inference error: no healthy upstream", ServerBusy),
        (504, b"", ServerFault),
        (301, b"", RequestRefused),
        (308, b"", RequestRefused),
        (999, b"", ServerFault),
    ],
)
def test_status_decides_the_error(
    status: int, content: bytes, error: type[ModelServerError]
) -> None:
    """Status and body, of whatever kind, give one class of error and a sentence."""
    found = from_status(status, {}, content, PEER)
    assert type(found) is error
    assert "https://h.example/v1" in str(found)
    assert str(found).endswith(".")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("an error was encountered while running the model: EOF", ServerFault),
        ({"message": "no", "code": 400}, RequestRefused),
        ({"message": "no", "code": "429"}, ServerBusy),
        ({"message": "no", "code": "rate_limit"}, ServerFault),
        ({"message": "Loading model", "code": 503}, ServerBusy),
        (None, ServerFault),
        ([1], ServerFault),
        ({}, ServerFault),
        ({"message": 5, "type": [], "code": True}, ServerFault),
    ],
)
def test_error_inside_an_answer(error: object, expected: type[ModelServerError]) -> None:
    """An error object or string inside an accepted answer gives its class by its code."""
    assert type(from_error(error, PEER)) is expected


def test_no_memory_is_told() -> None:
    """What Ollama says about memory is passed on, since it holds two numbers only."""
    words = "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"
    assert words in str(from_status(500, {}, json.dumps({"error": words}).encode(), PEER))


def test_redirect_is_explained() -> None:
    """A redirect is refused in a sentence that says so and what to do."""
    error = from_status(307, {"location": "https://elsewhere.example/"}, b"", PEER)
    assert "not followed" in str(error)
    assert "elsewhere" not in str(error)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        (" 3 ", 3.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("Fri, 02 Jan 2099 12:00:00 GMT", 86400.0),
        ("999999999", 86400.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("9" * 400, None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    """Retry-After is read as seconds or as a date, and nonsense as nothing."""
    error = from_status(429, {"retry-after": value}, b"", PEER, now=NOW)
    assert isinstance(error, ServerBusy)
    assert error.retry_after == seconds


@given(st.text(max_size=60))
def test_any_retry_after(value: str) -> None:
    """No Retry-After makes the reading fail."""
    error = from_status(503, {"retry-after": value}, b"", PEER)
    assert isinstance(error, ServerBusy)
    assert error.retry_after is None or 0 <= error.retry_after <= 86400


PROMPT = "def secret_formula(x):\n    return 6 * x + 1\n"


@given(
    status=st.integers(300, 599),
    member=st.sampled_from(["message", "type", "param", "code"]),
    around=st.text(max_size=10),
)
def test_servers_words_are_not_passed_on(status: int, member: str, around: str) -> None:
    """A server that repeats the prompt in its error does not bring it into ours."""
    content = json.dumps({"error": {member: around + PROMPT + around}}).encode()
    sentence = str(from_status(status, {}, content, PEER))
    assert "secret" not in sentence
    assert sentence.isprintable()


@given(st.binary(max_size=80), st.integers(300, 599))
def test_any_body(content: bytes, status: int) -> None:
    """No error body makes the reading fail."""
    assert str(from_status(status, {}, content, PEER))
    assert str(from_status(status, {}, b"[" * 100_000, PEER))
