"""Asks a server for real what the simulation asks one that is none, by the same rules."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from synconfroute.clients.model import GenerationRequest, ModelClient, TextPrompt
from synconfroute.errors import ModelServerError
from synconfroute.evaluation.capacity.asking import made_up
from synconfroute.evaluation.capacity.fleet import End
from synconfroute.evaluation.capacity.workload import Asked
from synconfroute.server.completion.admission import Admission
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Done:
    """How one request ended.

    Attributes:
        begun: seconds since the beginning.
        end: how.
        seconds: how long it took.
        prompt_tokens: by the server's count; None where it gave none.
        tokens: so many came.
    """

    begun: float
    end: End
    seconds: float
    prompt_tokens: int | None
    tokens: int


class Driver:
    """All developers, before one server."""

    def __init__(self, client: ModelClient, settings: Settings) -> None:
        """Ask this server by these settings."""
        self._client = client
        self._settings = settings
        self._admissions: dict[int, Admission] = {}
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._superseded: set[asyncio.Task[None]] = set()
        self._done: list[Done] = []
        self._begun = 0.0

    async def drive(self, asked: Sequence[Asked], seconds: float) -> list[Done]:
        """Ask everything in its time; how each ended, in the order of what was asked.

        What has not ended `seconds` after the beginning is waited for.
        """
        loop = asyncio.get_running_loop()
        self._begun = loop.time()
        done: list[Done | None] = [None] * len(asked)
        async with asyncio.TaskGroup() as group:
            for number, each in enumerate(asked):
                await asyncio.sleep(max(0.0, self._begun + each.at - loop.time()))
                self._supersede(each.developer)
                task = group.create_task(self._one(number, each, done))
                self._under_way[each.developer] = task
            await asyncio.sleep(max(0.0, self._begun + seconds - loop.time()))
        return [each for each in done if each is not None]

    def _supersede(self, developer: int) -> None:
        task = self._under_way.pop(developer, None)
        if task is not None and not task.done():
            self._superseded.add(task)
            task.cancel()

    async def _one(self, number: int, asked: Asked, done: list[Done | None]) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        came = [0]
        end, prompt = End.ANSWERED, None
        admission = self._admissions.setdefault(asked.developer, Admission(self._settings))
        if admission.obstacle(single_line=True) is not None:
            end = End.REFUSED
        else:
            try:
                with admission.request(single_line=True):
                    prompt = await self._ask(number, asked, came)
            except TimeoutError:
                end = End.LATE
            except ModelServerError:
                end = End.REFUSED
            except asyncio.CancelledError:
                if asyncio.current_task() not in self._superseded:
                    raise
                end = End.SUPERSEDED
        now = loop.time()
        done[number] = Done(begun - self._begun, end, now - begun, prompt, came[0])

    async def _ask(self, number: int, asked: Asked, came: list[int]) -> int | None:
        """Read one answer; the server's count of its prompt."""
        prompt = TextPrompt(made_up(asked.prompt_tokens, number))
        async with asyncio.timeout(self._settings.escalation.deadline_ms / 1000):
            stream = await self._client.stream(GenerationRequest(prompt, asked.answer_tokens))
            async with stream:
                async for _ in stream:
                    came[0] += 1
            return None if stream.finish is None else stream.finish.prompt_tokens


def as_asked(asked: Sequence[Asked], done: Sequence[Done]) -> list[Asked]:
    """What was asked, with the tokens that the server says it read and wrote.

    Of requests that were not answered nobody knows: the mean relation of the others holds for them.
    """
    counted = [
        each.prompt_tokens / wanted.prompt_tokens
        for wanted, each in zip(asked, done, strict=True)
        if each.prompt_tokens and each.end is End.ANSWERED
    ]
    scale = fmean(counted) if counted else 1.0
    return [
        replace(
            wanted,
            prompt_tokens=each.prompt_tokens or round(wanted.prompt_tokens * scale),
            answer_tokens=max(1, each.tokens) if each.end is End.ANSWERED else wanted.answer_tokens,
        )
        for wanted, each in zip(asked, done, strict=True)
    ]
