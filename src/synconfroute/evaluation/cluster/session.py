"""One model's part of `eval run` on a cluster: its nodes answer, this machine keeps the record."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from synconfroute.evaluation.cluster.distribution import Distribution
from synconfroute.evaluation.cluster.orders import Order, written
from synconfroute.evaluation.cluster.ray_cluster import RayCluster
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Plan
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import collect
from synconfroute.evaluation.generation.session import passes
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.settings.tree import Settings


async def answer_all(
    cluster: RayCluster,
    planned: Plan,
    model: ModelName,
    settings: Settings,
    record: Record,
    done: Sequence[Prediction],
    *,
    on_answer: Callable[[], object],
    tell: Callable[[str], None],
) -> list[Prediction]:
    """Have a cluster answer what is left of a run.

    Args:
        cluster: who does it; connected to only where something is left.
        planned: tasks and conditions.
        model: who answers, as each node reaches it.
        settings: addresses and limits; no key of them is sent.
        record: where the answers go.
        done: what it holds already.
        on_answer: called after each answer.
        tell: told what is about to leave this machine, before it does, and of lost nodes.

    Raises:
        EvaluationError: the cluster or the model failed; what was answered is recorded.
    """

    def order_of(tasks: Sequence[Task]) -> str:
        return written(Order(replace(planned, tasks=tuple(tasks)), model, settings))

    async def answers_to(left: Sequence[Task]) -> AsyncIterator[Prediction]:
        if not left:
            return
        nodes = [node for node in await asyncio.to_thread(cluster.nodes) if node.works]
        tell(
            f"{len(left)} tasks with their prompts go to the Ray cluster at {cluster.address}"
            f" ({_counted(len(nodes), 'node')},"
            f" {_counted(int(sum(node.processors for node in nodes)), 'processor')})."
        )
        if model.provider == "org":
            tell(f"Its nodes send the prompts on to {settings.org.url}, by their own ledgers.")
        async for answer in Distribution(cluster, order_of, tell).answers(left):
            yield answer

    return await collect(planned.tasks, answers_to, record, passes, done=done, on_answer=on_answer)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
