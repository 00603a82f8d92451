"""Confidence, token by token."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.server.completion.confidence import ABSENT, PENDING, Confidence, confidence


def tokens(*logprobs: float | None) -> tuple[Token, ...]:
    """Tokens with visible text and these log-probs."""
    return tuple(Token(f"t{at}", logprob) for at, logprob in enumerate(logprobs))


def of(
    parts: tuple[Token, ...],
    *,
    preamble: int | None = 0,
    finished: bool = False,
    which: str = "answer",
) -> Confidence:
    """The confidence with everything else usual."""
    return confidence(parts, preamble=preamble, finished=finished, which=which)


def test_settles_at_the_third_token() -> None:
    """Two tokens leave it pending; the third settles it, whatever follows."""
    assert of(tokens(-0.1, -0.2)) == PENDING
    third = of(tokens(-0.1, -0.2, -0.6))
    assert third.settled
    assert third.value == pytest.approx(math.exp(-0.3))
    assert of(tokens(-0.1, -0.2, -0.6, -9.0)) == third


def test_fewer_than_three_tokens_settle_at_the_end() -> None:
    """A finished answer of one token has that token's probability."""
    assert of(tokens(-0.5)) == PENDING
    assert of(tokens(-0.5), finished=True).value == pytest.approx(math.exp(-0.5))


def test_absent_without_any_logprob() -> None:
    """No log-probs at all is a state of its own, known at the end."""
    assert of(tokens(None, None, None, None)) == PENDING
    assert of(tokens(None, None, None), finished=True) == ABSENT
    assert of((), finished=True) == ABSENT


def test_incomplete_list_is_the_mean_of_what_came_at_the_end() -> None:
    """A log-prob missing among the first three leaves it pending until the end."""
    parts = tokens(-0.2, None, -0.4, -5.0)
    assert of(parts) == PENDING
    assert of(parts, finished=True).value == pytest.approx(math.exp(-0.3))


def test_fence_and_forced_tokens_do_not_count() -> None:
    """The first three are those of the answer proper."""
    parts = (
        Token("```", -3.0),
        Token("python\n", -3.0),
        Token("    ", -9.0, forced=True),
        *tokens(-0.1, -0.2, -0.3),
    )
    assert of(parts, preamble=2).value == pytest.approx(math.exp(-0.2))
    assert of(parts, preamble=None) == PENDING
    assert of(parts, preamble=2, which="literal").value == pytest.approx(math.exp(-5.0))


def test_visible_leaves_out_blank_tokens() -> None:
    """`visible` skips white space, but not a piece of a character."""
    parts = (Token("\n   ", -9.0), Token("", -0.1), Token("é", -0.2), Token("x", -0.3))
    assert of(parts, which="visible").value == pytest.approx(math.exp(-0.2))
    assert of(parts).value == pytest.approx(math.exp(-9.3 / 3))


@given(st.lists(st.floats(max_value=0.0, allow_nan=False), min_size=3, max_size=3))
def test_always_a_probability(logprobs: list[float]) -> None:
    """Any log-probs, also minus infinity, give a value from 0 to 1."""
    value = of(tokens(*logprobs)).value
    assert value is not None
    assert 0.0 <= value <= 1.0


def test_a_positive_logprob_is_certainty_at_most() -> None:
    """Rounding above 0 does not give more than 1."""
    assert of(tokens(1e-7, 1e-7, 1e-7)).value == 1.0
