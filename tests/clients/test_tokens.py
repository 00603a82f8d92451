"""Chunks' texts and log-probs joined into tokens."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.clients.tokens import TokenRun, chunk_tokens, logprob_of

PIECES = st.sampled_from(["", "a", " b", "\n", "�", "€", "<|im_end|>"])
SCORED = st.lists(st.tuples(PIECES, st.none() | st.floats(-9, 0)), max_size=4)
CHUNKS = st.lists(st.tuples(PIECES | st.text(max_size=5), SCORED), max_size=8)


@given(CHUNKS, st.sampled_from(["stop", "length"]))
def test_texts_are_the_servers_texts(
    chunks: list[tuple[str, list[tuple[str, float | None]]]], reason: str
) -> None:
    """Tokens' texts, joined, are the chunks' texts, whatever the server lists as tokens."""
    run = TokenRun()
    tokens = [token for text, scored in chunks for token in run.add(text, scored)]
    tokens += run.close(reason)
    assert "".join(token.text for token in tokens) == "".join(text for text, _ in chunks)


@given(CHUNKS)
def test_logprobs_keep_their_order(
    chunks: list[tuple[str, list[tuple[str, float | None]]]],
) -> None:
    """No log-prob is lost or moved while an answer goes on."""
    run = TokenRun()
    tokens = [token for text, scored in chunks for token in run.add(text, scored)]
    tokens += run.close("length")
    given_ones = [logprob for _, scored in chunks for _, logprob in scored if logprob is not None]
    assert [token.logprob for token in tokens if token.logprob is not None] == given_ones


@pytest.mark.parametrize(
    ("text", "scored", "tokens"),
    [
        ("a b", [("a", -1.0), (" b", -2.0)], [Token("a", -1.0), Token(" b", -2.0)]),
        ("🚀", [("��", -1.0), ("�", -2.0)], [Token("", -1.0), Token("🚀", -2.0)]),
        ("a", [("a", -1.0), ("<|im_end|>", -2.0)], [Token("a", -1.0), Token("", -2.0)]),
        ("ab", [("ab", -1.0)], [Token("ab", -1.0)]),
        ("a b c", [(" c", -1.0)], [Token("a b c", -1.0)]),
        ("a", [], [Token("a", None)]),
        ("", [], []),
        ("", [("", -1.0)], [Token("", -1.0)]),
    ],
)
def test_tokens_of_one_chunk(
    text: str, scored: list[tuple[str, float | None]], tokens: list[Token]
) -> None:
    """Tokens keep their texts where these fit the chunk's; else the last one carries it."""
    assert chunk_tokens(text, scored) == tokens


def test_end_token_is_no_part_of_the_answer() -> None:
    """A last token without text belongs to the answer only if the answer was cut."""
    for reason, tokens in (("stop", []), ("length", [Token("", -0.1)])):
        run = TokenRun()
        run.add("a", [("a", -1.0)])
        assert run.add("", [("", -0.1)]) == []
        assert run.close(reason) == tokens
        finish = run.finish(reason, counted=2, model="m", prompt_tokens=None)
        assert not finish.logprobs_lost


def test_lost_logprobs_are_noticed() -> None:
    """More tokens counted by the server than log-probs given are lost ones."""
    run = TokenRun()
    run.add("abc", [("abc", -1.0)])
    run.close("stop")
    assert not run.finish("stop", counted=2, model="", prompt_tokens=None).logprobs_lost
    assert run.finish("stop", counted=3, model="", prompt_tokens=None).logprobs_lost
    assert run.finish("length", counted=2, model="", prompt_tokens=None).logprobs_lost


@pytest.mark.parametrize(
    ("value", "logprob"),
    [
        (-0.5, -0.5),
        (0, 0.0),
        (1e-7, 0.0),
        (-math.inf, None),
        (math.nan, None),
        (None, None),
        ("-1", None),
        (True, None),
    ],
)
def test_logprob_values(value: Any, logprob: float | None) -> None:
    """A log-prob is a finite number of at most 0; anything else is none."""
    assert logprob_of(value) == logprob
