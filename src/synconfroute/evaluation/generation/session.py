"""One model's part of `eval run`: from its name to answers in the record."""

from collections.abc import Callable, Sequence

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.answering import Answering
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Plan
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import run
from synconfroute.evaluation.generation.source import source_of
from synconfroute.evaluation.generation.verdicts import verdicts_of
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.settings.tree import Settings


async def answer_all(
    planned: Plan,
    model: ModelName,
    settings: Settings,
    record: Record,
    done: Sequence[Prediction],
    *,
    on_answer: Callable[[], object],
    tell: Callable[[str], None],
) -> list[Prediction]:
    """Have a model answer what is left of a run.

    Args:
        planned: tasks and conditions.
        model: who answers.
        settings: addresses, keys and limits.
        record: where the answers go.
        done: what it holds already.
        on_answer: called after each answer.
        tell: told what is about to leave this machine, before it does.

    Raises:
        EvaluationError: the model failed; what was answered is recorded.
        SynConfRouteError: the model cannot be asked at all.
    """
    session = _Session(planned, model, settings, len(planned.tasks) - len(done), tell)
    try:
        return await run(
            planned.tasks, session.ask, record, _passes, done=done, on_answer=on_answer
        )
    finally:
        await session.aclose()


class _Session:
    """The model and what judges its answers, looked for at the first question."""

    def __init__(
        self,
        planned: Plan,
        model: ModelName,
        settings: Settings,
        left: int,
        tell: Callable[[str], None],
    ) -> None:
        self._planned = planned
        self._model = model
        self._settings = settings
        self._left = left
        self._tell = tell
        self._source = source_of(model, settings)
        self._verdicts = verdicts_of(planned.conditions.validator)
        self._answering: Answering | None = None

    async def ask(self, task: Task) -> Prediction:
        if self._answering is None:
            self._answering = await self._ready()
        return await self._answering.answer(task)

    async def aclose(self) -> None:
        await self._source.aclose()
        await self._verdicts.aclose()

    async def _ready(self) -> Answering:
        served = await self._source.ready()
        if self._model.provider == "org":
            self._tell(
                f"{self._left} prompts go to {served.client.address}, to the model {served.model}."
            )
        conditions = self._planned.conditions
        draw = self._planned.draw
        return Answering(
            self._model.provider,
            self._source,
            served,
            conditions,
            self._planned.examples,
            self._verdicts,
            which="literal" if conditions.profile == "paper" else self._settings.router.confidence,
            path=str(draw.data.absolute() / draw.bench),
        )


def _passes(pairs: Sequence[tuple[Task, str]]) -> list[bool]:
    results = judge(pairs)
    return [result.passed for result in results]
