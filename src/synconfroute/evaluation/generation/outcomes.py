"""Which answers pass, found out by executing them while the model goes on answering."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.reading import raw_text
from synconfroute.evaluation.predictions import Prediction

Execute = Callable[[Sequence[tuple[Task, str]]], Sequence[bool]]
"""Whether each text passes as the answer to its task. Blocks."""

_BATCH = 32
"""Answers that are executed at once: an interrupt waits for no more than these."""

Key = tuple[str, str]
"""Benchmark and task id."""


def key_of(prediction: Prediction) -> Key:
    """Which task a recorded answer is to."""
    return str(prediction.provenance.get("bench", "")), prediction.task_id


class Outcomes:
    """Executes answers in batches: what came while the last batch ran."""

    def __init__(self, execute: Execute) -> None:
        """Execute with this; nothing runs yet."""
        self._execute = execute
        self._waiting: list[tuple[Task, Prediction]] = []
        self._found: dict[Key, tuple[bool, bool]] = {}
        self._running: asyncio.Task[None] | None = None

    def add(self, task: Task, prediction: Prediction) -> None:
        """Have an answer executed, raw and cleaned.

        Raises:
            SynConfRouteError: execution is not possible here.
        """
        if self._running is not None and self._running.done():
            self._running.result()
            self._running = None
        self._waiting.append((task, prediction))
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def finish(self) -> None:
        """Wait until all have been executed.

        Raises:
            SynConfRouteError: execution is not possible here.
        """
        if self._running is not None:
            await self._running

    def stated(self, prediction: Prediction) -> Prediction:
        """The answer with its outcomes, where they are known."""
        found = self._found.get(key_of(prediction))
        if found is None:
            return prediction
        provenance = {**prediction.provenance, "cleaned_passed": found[1]}
        return replace(prediction, passed=found[0], provenance=provenance)

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            read = [(task, _texts(task, prediction)) for task, prediction in batch]
            pairs = list(dict.fromkeys((task, text) for task, texts in read for text in texts))
            passed = dict(zip(pairs, await asyncio.to_thread(self._execute, pairs), strict=True))
            for (task, (raw, cleaned)), (_, prediction) in zip(read, batch, strict=True):
                self._found[key_of(prediction)] = passed[task, raw], passed[task, cleaned]


def _texts(task: Task, prediction: Prediction) -> tuple[str, str]:
    """What is executed of an answer: raw and cleaned; often they are the same."""
    return raw_text(task, prediction.text), str(prediction.provenance.get("cleaned", ""))
