"""Measures what a running server can do, and makes a profile of it.

First prompts of rising length, one after the other: what a token of a prompt costs. Then more and
more answers at the same time: what a step costs by how many run.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import fmean, median, pstdev

from synconfroute.clients.model import ModelClient
from synconfroute.errors import EvaluationError, SynConfRouteError
from synconfroute.evaluation.capacity.asking import Stream, ask, ask_together, made_up
from synconfroute.evaluation.capacity.profile import Profile

_ROUNDS = 2
_REPEATS = 3
_SHORT = 32
_FEWEST_STEPS = 4
_LEAST_STEP_MS = 0.01


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is asked.

    Attributes:
        most_at_once: answers at the same time, at the most.
        tokens: of each of these, at least 16.
        prompts: lengths of prompts, in tokens, about.
    """

    most_at_once: int = 32
    tokens: int = 48
    prompts: tuple[int, ...] = (64, 512, 1_500)

    @property
    def levels(self) -> tuple[int, ...]:
        """How many answers at the same time, one after the other."""
        doubled = [2**power for power in range(20) if 2**power < self.most_at_once]
        return (*doubled, self.most_at_once)

    @property
    def requests(self) -> int:
        """How many are sent."""
        return 1 + _REPEATS * len(self.prompts) + _ROUNDS * sum(self.levels)

    @property
    def answer_tokens(self) -> int:
        """How many tokens are asked for, all together, at the most."""
        return 1 + 2 * _REPEATS * len(self.prompts) + _ROUNDS * sum(self.levels) * self.tokens


async def measure(
    client: ModelClient,
    extent: Extent,
    *,
    name: str,
    at_once: int | None = None,
    batched_tokens: int = 8192,
    on_answer: Callable[[int], object] = lambda _: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Profile:
    """Measure a server that nobody else uses meanwhile.

    Args:
        client: the connection to it.
        extent: how much is asked.
        name: of the profile.
        at_once: how many requests the server runs at the same time, where that is known; None: as
            many as were seen to, if others had to wait, else vLLM's 256.
        batched_tokens: as of `Profile`.
        on_answer: told how many more answers came.
        clock: seconds.

    Raises:
        SynConfRouteError: the server refused, failed, or its answers are too short.
    """
    numbers = count(1)
    try:
        await ask(client, made_up(_SHORT, next(numbers)), 1, clock)  # it may load its model first
        on_answer(1)
        read = []
        for length in extent.prompts:
            for _ in range(_REPEATS):
                read.append(await ask(client, made_up(length, next(numbers)), 2, clock))
                on_answer(1)
        levels: dict[int, list[float]] = {}
        seats: int | None = None
        for level in extent.levels:
            if seats is not None:
                break
            for _ in range(_ROUNDS):
                prompts = [made_up(_SHORT, next(numbers)) for _ in range(level)]
                streams = await ask_together(client, prompts, extent.tokens, clock)
                on_answer(level)
                seats = _seats(streams)
                if seats is None:
                    levels.setdefault(level, []).extend(_steps(streams))
    except ExceptionGroup as errors:
        raise _first(errors) from None
    return _profile(read, levels, name, at_once or seats or 256, batched_tokens)


def _profile(
    read: Sequence[Stream],
    levels: dict[int, list[float]],
    name: str,
    at_once: int,
    batched_tokens: int,
) -> Profile:
    steps = [(level, fmean(found) * 1000) for level, found in levels.items() if found]
    if not steps or steps[0][0] != 1:
        raise EvaluationError(
            "The server's answers are too short to time their tokens: name a model that goes on"
            " with a begun list."
        )
    slope, rest = _line([each.prompt_tokens for each in read], [each.first for each in read])
    one_step = steps[0][1]
    return Profile(
        name=name,
        measured=True,
        at_once=at_once,
        step_ms=tuple(
            (level, round(max(ms, _LEAST_STEP_MS), 3)) for level, ms in steps if level <= at_once
        ),
        prefill_ms_per_token=round(max(0.0, slope * 1000), 5),
        overhead_ms=round(max(0.0, rest * 1000 - one_step), 3),
        batched_tokens=batched_tokens,
        prompt_tokens=(
            min(each.prompt_tokens for each in read),
            max(each.prompt_tokens for each in read),
        ),
        spread=round(_spread(levels), 4),
    )


def _steps(streams: Sequence[Stream]) -> list[float]:
    """Seconds of a step while all of these answers were written, once for each of them."""
    begun = max(stream.came[0] for stream in streams)
    ended = min(stream.came[-1] for stream in streams)
    found = []
    for stream in streams:
        inside = [moment for moment in stream.came if begun <= moment <= ended]
        if len(inside) > _FEWEST_STEPS:
            found.append((inside[-1] - inside[0]) / (len(inside) - 1))
    return found


def _seats(streams: Sequence[Stream]) -> int | None:
    """How many answers ran at the same time, if others had to wait for their end."""
    first_end = min(stream.came[-1] for stream in streams)
    ran = sum(stream.came[0] < first_end for stream in streams)
    return ran if ran < len(streams) else None


def _line(across: Sequence[float], up: Sequence[float]) -> tuple[float, float]:
    """Slope and height at 0 of a line through points, by the slopes between pairs (Theil-Sen).

    A few answers that something else held up do not move it.
    """
    slopes = [
        (up[right] - up[left]) / (across[right] - across[left])
        for left in range(len(across))
        for right in range(left)
        if across[left] != across[right]
    ]
    slope = median(slopes) if slopes else 0.0
    return slope, median(y - slope * x for x, y in zip(across, up, strict=True))


def _spread(levels: dict[int, list[float]]) -> float:
    """How far steps lie around the mean of their level, as a share of it; the widest level."""
    return max((pstdev(found) / fmean(found) for found in levels.values() if found), default=0.0)


def _first(errors: ExceptionGroup[Exception]) -> SynConfRouteError:
    """The first of several that says something to a user."""
    for error in errors.exceptions:
        if isinstance(error, SynConfRouteError):
            return error
        if isinstance(error, ExceptionGroup):
            return _first(error)
    raise errors
