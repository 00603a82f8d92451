"""Hands batches to a cluster and brings the answers back, whatever becomes of the nodes.

A node that dies is Ray's to notice: it starts what was begun there anew on another one. A node
whose model cannot answer gets no more work: it would fail batches faster than others do them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from typing import Protocol

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.cluster.batches import Batch, batches
from synconfroute.evaluation.cluster.nodes import Node, Nodes
from synconfroute.evaluation.cluster.work import Done
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.predictions import Prediction

_TICK = 1.0
"""Seconds between looks at the nodes while no batch ends."""
_AHEAD = 2
"""Batches at the cluster for a processor: the next one is there when one ends."""
_TRIES = 3
"""How often a batch may fail before what fails is taken for the run's own fault, not a node's."""


class Cluster(Protocol):
    """Does orders. All of it blocks, and raises an EvaluationError where the cluster is lost."""

    def nodes(self) -> list[Node]:
        """How the nodes are now."""
        ...

    def begin(self, order: str, not_on: Sequence[str]) -> Hashable:
        """Have an order done on any node but these; returns what stands for it."""
        ...

    def ended(self, begun: Sequence[Hashable], seconds: float) -> list[Hashable]:
        """Those that have ended, as soon as one has, or after so many seconds."""
        ...

    def done(self, begun: Hashable) -> Done:
        """What became of one that has ended.

        Raises:
            EvaluationError: it was lost, more often than Ray starts anything anew.
        """
        ...


class Distribution:
    """The answers to tasks from a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        order_of: Callable[[Sequence[Task]], str],
        tell: Callable[[str], None],
    ) -> None:
        """Begin nothing yet.

        Args:
            cluster: does the orders.
            order_of: the order for some tasks.
            tell: told of nodes that are lost, or left out.
        """
        self._cluster = cluster
        self._order_of = order_of
        self._nodes = Nodes(tell)
        self._waiting: deque[Batch] = deque()
        self._running: dict[Hashable, Batch] = {}
        self._failed: EvaluationError | None = None

    async def answers(self, tasks: Sequence[Task]) -> AsyncIterator[Prediction]:
        """Executed answers to all tasks, each once, as they come.

        Raises:
            EvaluationError: there will be no more; what was begun elsewhere has been brought in.
        """
        await self._look()
        self._waiting.extend(batches(tasks, self._processors))
        while self._running or self._waiting:
            await self._fill()
            for ended in await self._ended():
                for answer in await self._collected(ended):
                    yield answer
            await self._look()
        if self._failed is not None:
            raise self._failed

    @property
    def _processors(self) -> float:
        return sum(node.processors for node in self._nodes.working)

    async def _look(self) -> None:
        """Take note of the nodes; raises where none is left that could do anything."""
        self._nodes.see(await asyncio.to_thread(self._cluster.nodes))
        refusal = self._nodes.refusal
        if refusal and (self._running or self._waiting):
            raise self._failed or EvaluationError(refusal)

    async def _fill(self) -> None:
        most = max(_AHEAD, int(_AHEAD * self._processors))
        while self._waiting and len(self._running) < most:
            batch = self._waiting.popleft()
            order = self._order_of(batch.tasks)
            begun = await asyncio.to_thread(self._cluster.begin, order, self._nodes.left_out)
            self._running[begun] = batch

    async def _ended(self) -> list[Hashable]:
        return await asyncio.to_thread(self._cluster.ended, list(self._running), _TICK)

    async def _collected(self, ended: Hashable) -> Sequence[Prediction]:
        """The answers of what has ended; what it left unanswered is tried elsewhere."""
        batch = self._running.pop(ended)
        try:
            done = await asyncio.to_thread(self._cluster.done, ended)
        except EvaluationError as error:
            self._stop(error)
            return ()
        if done.failed:
            self._try_again(batch, done)
        else:
            self._nodes.worked(done.node)
        return done.answers

    def _try_again(self, batch: Batch, done: Done) -> None:
        answered = {answer.task_id for answer in done.answers}
        left = tuple(task for task in batch.tasks if task.id not in answered)
        if not left:
            return
        said = self._nodes.failed(done.node, left[0].id, done.failed)
        if batch.tries + 1 == _TRIES:
            self._stop(EvaluationError(said))
        elif self._failed is None:
            self._waiting.append(Batch(left, batch.tries + 1))

    def _stop(self, error: EvaluationError) -> None:
        """Begin nothing more; what runs is waited for."""
        self._failed = self._failed or error
        self._waiting.clear()
