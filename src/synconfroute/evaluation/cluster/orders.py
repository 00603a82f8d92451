"""What a node is asked to do, as JSON: a few tasks, and all that it needs to have them answered.

Keys of model servers stay at home: a node takes them from its own settings.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from synconfroute import __version__
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Answers, RunToEnd, Same, Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import Examples
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Draw, Plan
from synconfroute.server.settings.keys import KEYS, build, value_of
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Order:
    """A few tasks for a node.

    Attributes:
        planned: the tasks with their conditions, and with their examples where there are any.
        model: who answers.
        settings: addresses and limits; with the keys of the machine that reads the order.
    """

    planned: Plan
    model: ModelName
    settings: Settings


def written(order: Order) -> str:
    """The order as JSON, without any key."""
    planned = order.planned
    examples = {task.id: planned.examples[task.bench].of(task) for task in planned.tasks}
    needed = {each.id: each for few in examples.values() for each in few}
    return json.dumps(
        {
            "version": __version__,
            "data": str(planned.draw.data.absolute()),
            "bench": planned.draw.bench,
            "conditions": asdict(planned.conditions),
            "tasks": [_row(task) for task in planned.tasks],
            "examples": {name: [each.id for each in few] for name, few in examples.items()},
            "solved": [_row(replace(each, check=Same())) for each in needed.values()],
            "model": asdict(order.model),
            "settings": {
                name: value_of(order.settings, key) for name, key in KEYS.items() if not key.secret
            },
        },
        default=dict,
    )


def read(text: str, own: Settings) -> Order:
    """The order that a text of `written` holds.

    Args:
        text: the JSON.
        own: this machine's settings, which the keys are taken from.

    Raises:
        EvaluationError: another version of SynConfRoute wrote it.
    """
    row = json.loads(text)
    if row["version"] != __version__:
        raise EvaluationError(
            f"SynConfRoute {__version__} is installed there, not {row['version']} as here."
        )
    tasks = tuple(map(_task, row["tasks"]))
    conditions = Conditions(**row["conditions"])
    examples = _examples(row, conditions.shots)
    secrets = {name: value_of(own, key) for name, key in KEYS.items() if key.secret}
    return Order(
        Plan(
            Draw(Path(row["data"]), row["bench"]),
            conditions,
            tasks,
            {task.bench: examples for task in tasks},
        ),
        ModelName(**row["model"]),
        build(row["settings"] | secrets),
    )


def _examples(row: Mapping[str, Any], shots: int) -> Examples:
    solved = {each.id: each for each in map(_task, row["solved"])}
    chosen: Mapping[str, Sequence[Task]] = {
        name: [solved[each] for each in few] for name, few in row["examples"].items()
    }
    return Examples(lambda task: chosen[task.id], shots)


_CHECKS = {kind.__name__: kind for kind in (RunToEnd, Answers, Same)}


def _row(task: Task) -> dict[str, Any]:
    return asdict(task) | {"check": {"kind": type(task.check).__name__} | asdict(task.check)}


def _task(row: dict[str, Any]) -> Task:
    check = dict(row["check"])
    kind = _CHECKS[check.pop("kind")]
    if kind is Answers:
        check["cases"] = tuple((given, tuple(outputs)) for given, outputs in check["cases"])
    return Task(**row | {"check": kind(**check)})
