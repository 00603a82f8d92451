"""A score: how likely the local answer is right, from what costs nothing at run time.

It is one sum, so that each part of it can be read, and monotone: less surprise in the tokens never
lowers it, a doubt never raises it. The numbers are fitted on answers that were executed
(`synconfroute.evaluation.routing.fitting`); `score_numbers` has those that ship.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from synconfroute.clients.model import Token
from synconfroute.server.completion.confidence import FIRST
from synconfroute.server.completion.text_doubts import text_doubts
from synconfroute.validators.verdict import Outcome, Verdict

INVALID = "invalid"
"""The doubt that an invalid verdict is. Others: a kind of evidence, or one of `text_doubts`."""

OPEN = "open"
"""The kind of evidence that is a doubt only in complete code: people go on writing."""

SURPRISE = ("first", "smallest", "sum")
"""The parts of a score that the log-probs make."""

_LEAST = -1e4
"""Servers write less than any log-prob, or infinity, where a token was out of the question."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of one model in one language.

    Attributes:
        bias: log-odds of an answer that surprises in nothing and raises no doubt.
        weights: of each part, at least 0; a part that is not named weighs nothing.
    """

    bias: float
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a finished answer.

    Attributes:
        first: mean log-prob of its first three tokens, or of all if there are fewer.
        smallest: the smallest log-prob.
        sum: the sum of the log-probs of all tokens with visible text.
        doubts: `INVALID`, kinds of evidence, and what `text_doubts` finds.
    """

    first: float
    smallest: float
    sum: float
    doubts: frozenset[str] = field(default_factory=frozenset)


def signals_of(
    tokens: Sequence[Token],
    prefix: str,
    text: str,
    suffix: str,
    verdict: Verdict | None,
    *,
    complete: bool = False,
) -> Signals | None:
    """What is known of a finished answer; None where log-probs are missing: it has no score.

    Args:
        tokens: the tokens of the answer proper, in order.
        prefix: the buffer before the hole.
        text: the cleaned text.
        suffix: the buffer after the hole.
        verdict: what inserting the text does, where known.
        complete: nothing but this text is missing, as in a benchmark; not while somebody types.
    """
    known = _known(tokens)
    if not known:
        return None
    logprobs = [logprob for logprob, _ in known]
    first = logprobs[:FIRST]
    return Signals(
        sum(first) / len(first),
        min(logprobs),
        sum(logprob for logprob, visible in known if visible),
        (text_doubts(prefix, text, suffix) | _doubts(verdict)) - (set() if complete else {OPEN}),
    )


def contributions(signals: Signals, numbers: Numbers) -> dict[str, float]:
    """What each part takes from the score, in log-odds: 0 or less, in no part more."""
    # The root: the tenth surprise of an answer says less than the first.
    parts = {
        "first": signals.first,
        "smallest": signals.smallest,
        "sum": -math.sqrt(-signals.sum),
        **dict.fromkeys(sorted(signals.doubts), -1.0),
    }
    return {name: numbers.weights.get(name, 0.0) * part for name, part in parts.items()}


def score(signals: Signals, numbers: Numbers) -> float:
    """The probability that the answer is right, in [0, 1]."""
    return _probability(numbers.bias + sum(contributions(signals, numbers).values()))


def best_reachable(tokens: Sequence[Token], numbers: Numbers) -> float:
    """The highest score that an answer can still have that begins with these tokens.

    No later token raises it: the sum and the smallest only fall, the mean of the first three is
    bounded by missing ones that surprise in nothing, and doubts only subtract. So an answer whose
    best is below the threshold can be escalated at once.

    Args:
        tokens: the first tokens of the answer proper, in order.
        numbers: of the model.
    """
    known = _known(tokens)
    if known is None:
        return 1.0
    logprobs = [logprob for logprob, _ in known]
    best = Signals(
        sum(logprobs[:FIRST]) / FIRST,
        min(logprobs, default=0.0),
        sum(logprob for logprob, visible in known if visible),
    )
    return score(best, numbers)


def _known(tokens: Sequence[Token]) -> list[tuple[float, bool]] | None:
    """Log-prob and visibility of each token that counts; None if a log-prob is missing."""
    counting = [token for token in tokens if not token.forced]
    known = [
        (min(0.0, max(_LEAST, token.logprob)), bool(token.text.strip()) or token.text == "")
        for token in counting
        if token.logprob is not None
    ]
    return known if len(known) == len(counting) else None


def _doubts(verdict: Verdict | None) -> frozenset[str]:
    if verdict is None:
        return frozenset()
    kinds: Iterable[str] = (evidence.kind for evidence in verdict.evidence)
    invalid = [INVALID] if verdict.outcome is Outcome.INVALID else []
    return frozenset([*invalid, *kinds])


def _probability(log_odds: float) -> float:
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    odds = math.exp(log_odds)
    return odds / (1.0 + odds)
