"""The engine's answer, line by line."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.engine.answer import CompletionReader
from synconfroute.clients.faults import Peer
from synconfroute.clients.model import Token
from synconfroute.errors import BadAnswer, ModelServerError, PromptTooLong, ServerUnreachable

PEER = Peer("The embedded engine", "http://127.0.0.1:1", model="small")


def event(content: str, count: int, logprob: float | None = -0.5, **more: Any) -> bytes:
    """One line of a stream."""
    scored = [] if logprob is None else [{"token": content, "logprob": logprob}]
    body = {
        "content": content,
        "tokens": [7],
        "tokens_predicted": count,
        "tokens_evaluated": 5,
        "stop": False,
        "completion_probabilities": scored,
        **more,
    }
    return b"data: " + json.dumps(body).encode()


def test_an_answer_that_ends_by_itself() -> None:
    """Tokens keep their log-probs; the end token, which has no text, is no token."""
    reader = CompletionReader(PEER, max_tokens=10)
    assert reader.read(event("a", 1)) == [Token("a", -0.5)]
    assert reader.read(b"") == []
    assert reader.read(b": ping") == []
    assert reader.read(event("", 2, -8.0)) == []
    assert reader.read(event("", 2, None, stop=True, stop_type="eos", tokens=[])) == []
    assert reader.finish is not None
    assert reader.finish.reason == "stop"
    assert (reader.finish.generated, reader.finish.prompt_tokens) == (2, 5)
    assert reader.finish.model == "small"
    assert not reader.finish.logprobs_lost


def test_pieces_of_a_character_are_lost_logprobs() -> None:
    """A character of three pieces has the log-prob of the last one, and the loss is told."""
    reader = CompletionReader(PEER, max_tokens=10)
    assert reader.read(event("关", 3, -0.25)) == [Token("关", -0.25)]
    reader.read(event("", 3, None, stop=True, stop_type="eos"))
    assert reader.finish is not None
    assert reader.finish.logprobs_lost


def test_text_without_probabilities_is_still_text() -> None:
    """The text that the last event may carry becomes a token without a log-prob."""
    reader = CompletionReader(PEER, max_tokens=10)
    assert reader.read(event("x", 1, None, stop=True, stop_type="limit")) == [Token("x")]
    assert reader.finish is not None
    assert reader.finish.reason == "length"


def test_a_stop_token_ends_the_answer() -> None:
    """The ids given with the request end it, before their text is taken for code."""
    reader = CompletionReader(PEER, max_tokens=10, stop_token_ids=(99,))
    assert reader.read(event("a", 1)) == [Token("a", -0.5)]
    assert reader.read(event("<|x|>", 2, tokens=[99])) == []
    assert reader.finish is not None
    assert reader.finish.reason == "stop"


def test_the_lead_does_not_count_against_the_limit() -> None:
    """Two tokens were asked for, and two come after the lead."""
    reader = CompletionReader(PEER, max_tokens=2, lead="\n  ")
    texts = ["\n ", " ", "a", "b"]
    tokens = [
        token for count, text in enumerate(texts, 1) for token in reader.read(event(text, count))
    ]
    assert [token.text for token in tokens] == ["a", "b"]
    assert reader.finish is not None
    assert reader.finish.reason == "length"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"data: {", BadAnswer),
        (b"data: []", BadAnswer),
        (b'data: {"content": 3}', BadAnswer),
        (
            b'data: {"error":{"code":400,"message":"request (5001 tokens) exceeds the available'
            b' context size (2048 tokens)","type":"exceed_context_size_error"}}',
            PromptTooLong,
        ),
    ],
)
def test_faults_are_errors_of_ours(line: bytes, kind: type[ModelServerError]) -> None:
    """Half a line, another format and an error in the stream each have their kind."""
    with pytest.raises(kind):
        CompletionReader(PEER, max_tokens=10).read(line)


def test_an_answer_that_just_ends_is_not_complete() -> None:
    """Without its last event an answer was cut off."""
    with pytest.raises(ServerUnreachable):
        CompletionReader(PEER, max_tokens=10).end()


@given(st.binary(max_size=200))
def test_no_line_escapes_as_another_error(data: bytes) -> None:
    """Whatever stands in a line, it gives tokens or one of our errors."""
    reader = CompletionReader(PEER, max_tokens=10, lead="\n")
    with suppress(ModelServerError):
        reader.read(b"data: " + data)
