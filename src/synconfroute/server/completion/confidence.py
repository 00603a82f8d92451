"""Confidence: exp of the mean log-prob of the first three generated tokens (paper §4.1)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from synconfroute.clients.model import Token

FIRST = 3


@dataclass(frozen=True, slots=True)
class Confidence:
    """A confidence and how far it is known.

    Attributes:
        value: in [0, 1]; None while pending and where it is absent.
        settled: more tokens will not change it.
    """

    value: float | None
    settled: bool


PENDING = Confidence(None, settled=False)
ABSENT = Confidence(None, settled=True)


def confidence(
    tokens: Sequence[Token], *, preamble: int | None, finished: bool, which: str
) -> Confidence:
    """The confidence of an answer, finished or still growing.

    It settles at the third counting token. With fewer tokens, or with log-probs missing among the
    first three, it settles when the answer is finished, as the mean of what came. An answer
    without any log-prob has none: a state of its own, never 0.

    Args:
        tokens: the answer's tokens so far, in order.
        preamble: how many leading tokens are not the answer proper (a fence, an echoed prefix);
            None while that cannot be told.
        finished: no token will follow.
        which: "answer", "visible" or "literal", as the setting `router.confidence`.
    """
    if which != "literal" and preamble is None:
        if not finished:
            return PENDING
        preamble = 0
    first = list(_counting(tokens, preamble or 0, which))[:FIRST]
    known = [token.logprob for token in first if token.logprob is not None]
    if len(known) == FIRST or (finished and known):
        return Confidence(math.exp(min(0.0, sum(known) / len(known))), settled=True)
    return ABSENT if finished else PENDING


def _counting(tokens: Sequence[Token], preamble: int, which: str) -> Iterable[Token]:
    """The tokens that say something about the answer."""
    if which == "literal":
        return tokens
    proper = (token for token in tokens[preamble:] if not token.forced)
    if which == "visible":
        return (token for token in proper if token.text == "" or token.text.strip())
    return proper
