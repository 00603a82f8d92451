"""How sure a model is of its answer, by its tokens: six readings, each in [0, 1]."""

import math
from collections.abc import Callable, Mapping, Sequence

from synconfroute.clients.model import Token
from synconfroute.server.completion.confidence import confidence

Metric = Callable[[Sequence[Token]], float]
"""Of the tokens of the answer proper. Without any log-prob 1: then the verdict alone decides."""


def first_three(tokens: Sequence[Token]) -> float:
    """The paper's (§4.1): exp of the mean log-prob of the first three."""
    return _confidence(tokens, "answer")


def first_three_visible(tokens: Sequence[Token]) -> float:
    """The same of the first three that are not white space."""
    return _confidence(tokens, "visible")


def geometric_mean(tokens: Sequence[Token]) -> float:
    """Exp of the mean log-prob of all."""
    logprobs = _logprobs(tokens)
    return math.exp(sum(logprobs) / len(logprobs)) if logprobs else 1.0


def smallest(tokens: Sequence[Token]) -> float:
    """The smallest probability."""
    return math.exp(min(_logprobs(tokens), default=0.0))


def whole(tokens: Sequence[Token]) -> float:
    """Exp of the sum of all log-probs: the probability of the whole answer."""
    return math.exp(sum(_logprobs(tokens)))


def arithmetic_mean(tokens: Sequence[Token]) -> float:
    """The mean of all probabilities."""
    logprobs = _logprobs(tokens)
    return sum(map(math.exp, logprobs)) / len(logprobs) if logprobs else 1.0


METRICS: Mapping[str, Metric] = {
    "first-three": first_three,
    "first-three-visible": first_three_visible,
    "mean": geometric_mean,
    "minimum": smallest,
    "sum": whole,
    "mean-probability": arithmetic_mean,
}


def _confidence(tokens: Sequence[Token], which: str) -> float:
    value = confidence(tokens, preamble=0, finished=True, which=which).value
    return 1.0 if value is None else value


def _logprobs(tokens: Sequence[Token]) -> list[float]:
    return [
        min(0.0, token.logprob)
        for token in tokens
        if token.logprob is not None and not token.forced
    ]
