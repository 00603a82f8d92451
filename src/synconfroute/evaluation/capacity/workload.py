"""What developers ask, and when."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

GAP_S = 3.0
"""Mean time between two requests of one burst of typing, in seconds."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The busiest hour.

    Attributes:
        developers: how many, at least 1.
        requests_per_hour: of each, in a mean hour of work; escalated or not.
        peak: the busiest hour has so many times that.
        escalated: share of the requests that go to the organisation's server, from 0 to 1.
        prompt_tokens: mean.
        answer_tokens: mean, at least 1.
        token_spread: standard deviation of both as a share of the mean; 0: all alike.
        cached: share of a prompt's tokens that the server still has from earlier ones, 0 to 1.
        explicit: share of the requests that the developer asked for, which go first.
        burst: mean number of requests that follow each other about `GAP_S` apart; 1: each comes
            whenever it comes.
    """

    developers: int
    requests_per_hour: float = 60.0
    peak: float = 2.0
    escalated: float = 0.42
    prompt_tokens: float = 1_000.0
    answer_tokens: float = 20.0
    token_spread: float = 0.5
    cached: float = 0.3
    explicit: float = 0.1
    burst: float = 8.0

    @property
    def per_second(self) -> float:
        """Requests of all developers in the busiest hour, escalated or not."""
        return self.developers * self.requests_per_hour * self.peak / 3600


@dataclass(frozen=True, slots=True)
class Asked:
    """One request.

    Attributes:
        at: seconds since the beginning.
        developer: who, from 0.
        escalated: it is to go to the organisation's server.
        explicit: the developer asked for it.
        prompt_tokens: of its prompt that the server has to read.
        answer_tokens: of its answer, at least 1.
    """

    at: float
    developer: int
    escalated: bool
    explicit: bool
    prompt_tokens: int
    answer_tokens: int


def requests(workload: Workload, seconds: float, chance: random.Random) -> list[Asked]:
    """All requests of so many seconds, in the order of time.

    Bursts begin by chance (a Poisson process); their lengths are geometric, and the gaps in them
    exponential. A burst that began before the first second goes on in it.
    """
    asked = [
        _asked(workload, at, developer, chance)
        for developer in range(workload.developers)
        for at in _moments(workload, seconds, chance)
    ]
    return sorted(asked, key=lambda each: (each.at, each.developer))


def _moments(workload: Workload, seconds: float, chance: random.Random) -> Iterator[float]:
    """When one developer asks."""
    bursts_per_second = workload.requests_per_hour * workload.peak / 3600 / workload.burst
    if bursts_per_second <= 0:
        return
    lead = 10 * GAP_S * workload.burst if workload.burst > 1 else 0.0
    begun = -lead
    while (begun := begun + chance.expovariate(bursts_per_second)) < seconds:
        at = begun
        while at < seconds:
            if at >= 0:
                yield at
            if chance.random() < 1 / workload.burst:
                break
            at += chance.expovariate(1 / GAP_S)


def _asked(workload: Workload, at: float, developer: int, chance: random.Random) -> Asked:
    read = workload.prompt_tokens * (1 - workload.cached)
    return Asked(
        at,
        developer,
        escalated=chance.random() < workload.escalated,
        explicit=chance.random() < workload.explicit,
        prompt_tokens=round(_about(read, workload.token_spread, chance)),
        answer_tokens=max(1, round(_about(workload.answer_tokens, workload.token_spread, chance))),
    )


def _about(mean: float, spread: float, chance: random.Random) -> float:
    """Log-normal with this mean, and this spread as a share of it."""
    if spread <= 0 or mean <= 0:
        return mean
    variance = math.log1p(spread * spread)
    return chance.lognormvariate(math.log(mean) - variance / 2, math.sqrt(variance))
