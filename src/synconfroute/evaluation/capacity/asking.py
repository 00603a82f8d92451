"""Asks a running server for timed answers to text that we made up, and to nothing else."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synconfroute.clients.model import GenerationRequest, ModelClient, TextPrompt
from synconfroute.errors import EvaluationError

_LINE = "value_{0} = compute({0}, {1})\n"
_CHARACTERS_A_TOKEN = 2.5
"""Of such lines, about."""
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Stream:
    """One timed answer; moments are seconds of one clock.

    Attributes:
        sent: when it was asked.
        came: when each token came.
        prompt_tokens: of its prompt, by the server's count, or by estimate.
        counted: it was the server's.
    """

    sent: float
    came: tuple[float, ...]
    prompt_tokens: int
    counted: bool

    @property
    def first(self) -> float:
        """Seconds to the first token."""
        return self.came[0] - self.sent


def made_up(tokens: int, number: int) -> str:
    """A text of about so many tokens; those of different numbers differ from the first line on.

    It is the beginning of a list that models go on with.
    """
    head = f"# list {number} of {number * 7919 % 104_729}\n"
    lines = [head]
    size = len(head)
    while size < tokens * _CHARACTERS_A_TOKEN:
        lines.append(_LINE.format(len(lines), (len(lines) * 31 + number) % 97))
        size += len(lines[-1])
    return "".join(lines)


async def ask(
    client: ModelClient, prompt: str, tokens: int, clock: Callable[[], float] = time.perf_counter
) -> Stream:
    """One answer of at most so many tokens; `clock` tells seconds.

    Raises:
        ModelServerError: the server refused or failed.
        EvaluationError: it gave no token, or took minutes.
    """
    sent = clock()
    try:
        async with asyncio.timeout(_SECONDS):
            stream = await client.stream(GenerationRequest(TextPrompt(prompt), tokens))
            async with stream:
                came = [clock() async for _ in stream]
    except TimeoutError:
        raise EvaluationError(
            f"{client.address} did not end an answer of {tokens} tokens within {_SECONDS:g} s."
        ) from None
    if not came:
        raise EvaluationError(f"{client.address} gave an answer without a token: nothing to time.")
    counted = stream.finish.prompt_tokens if stream.finish is not None else None
    estimated = round(len(prompt) / _CHARACTERS_A_TOKEN)
    return Stream(sent, tuple(came), counted or estimated, counted is not None)


async def ask_together(
    client: ModelClient,
    prompts: Sequence[str],
    tokens: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Stream]:
    """One answer to each prompt, all at once; see `ask`. If one fails, all are given up."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask(client, prompt, tokens, clock)) for prompt in prompts]
    return [task.result() for task in tasks]
