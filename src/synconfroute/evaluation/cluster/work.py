"""What a node does with an order: it asks the model, and executes the answers in its sandbox."""

import asyncio
import json
from dataclasses import dataclass
from functools import partial

from synconfroute.errors import SynConfRouteError
from synconfroute.evaluation.cluster.orders import Order, read
from synconfroute.evaluation.generation.outcomes import Outcomes
from synconfroute.evaluation.generation.session import Session, passes
from synconfroute.evaluation.predictions import Prediction, line_of, prediction_of
from synconfroute.server.settings.reader import read_settings


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an order.

    Attributes:
        node: Ray's id of the node.
        answers: executed ones.
        failed: why there are no more, in one sentence; "" where all tasks have their answer.
    """

    node: str
    answers: tuple[Prediction, ...]
    failed: str


def on_node(order: str) -> str:
    """Do an order in a worker process of Ray, and return a `Done` as JSON."""
    import ray

    return json.dumps({"node": ray.get_runtime_context().get_node_id(), **answered(order)})


def reported(text: str) -> Done:
    """The `Done` of a node."""
    row = json.loads(text)
    return Done(row["node"], tuple(map(prediction_of, row["answers"])), row["failed"])


def answered(order: str) -> dict[str, str | list[str]]:
    """The answers to an order, as lines of a file of predictions, and why it failed, or ""."""
    try:
        read_order = read(order, read_settings().settings)
    except SynConfRouteError as error:
        return {"answers": [], "failed": str(error)}
    answers, failed = asyncio.run(_answers(read_order))
    return {"answers": list(map(line_of, answers)), "failed": failed}


async def _answers(order: Order) -> tuple[list[Prediction], str]:
    """The executed answers, and why there are no more."""
    tasks = order.planned.tasks
    session = Session(order.planned, order.model, order.settings)
    outcomes = Outcomes(partial(passes, workers=1))  # Ray gives an order one processor
    answers: list[Prediction] = []
    failed = ""
    try:
        for task in tasks:
            answer = await session.ask(task)
            answers.append(answer)
            outcomes.add(task, answer)
    except SynConfRouteError as error:
        failed = str(error)
    finally:
        await session.aclose()
    try:
        await outcomes.finish()
    except SynConfRouteError as error:
        failed = failed or str(error)
    stated = map(outcomes.stated, answers)
    return [each for each in stated if each.passed is not None], failed
