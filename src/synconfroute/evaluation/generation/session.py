"""One model's part of `eval run`: from its name to answers in the record."""

from collections.abc import Callable, Sequence
from typing import Protocol

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.answering import Answering
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Plan
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import run
from synconfroute.evaluation.generation.source import source_of
from synconfroute.evaluation.generation.verdicts import Verdicts, verdicts_of
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion.tiers import Served
from synconfroute.server.settings.tree import Settings


class AnswerAll(Protocol):
    """Has a model answer what is left of a run, wherever: see `answer_all`."""

    async def __call__(
        self,
        planned: Plan,
        model: ModelName,
        settings: Settings,
        record: Record,
        done: Sequence[Prediction],
        *,
        on_answer: Callable[[], object],
        tell: Callable[[str], None],
    ) -> list[Prediction]:
        """All answers, as they stand in the record."""
        ...


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
    left = len(planned.tasks) - len(done)

    def announce(served: Served) -> None:
        if model.provider == "org":
            tell(f"{left} prompts go to {served.client.address}, to the model {served.model}.")

    session = Session(planned, model, settings, announce)
    try:
        return await run(planned.tasks, session.ask, record, passes, done=done, on_answer=on_answer)
    finally:
        await session.aclose()


class Session:
    """The model and what judges its answers, looked for at the first question."""

    def __init__(
        self,
        planned: Plan,
        model: ModelName,
        settings: Settings,
        announce: Callable[[Served], None] = lambda _: None,
    ) -> None:
        """Ask nothing yet.

        Args:
            planned: tasks and conditions.
            model: who answers.
            settings: addresses, keys and limits.
            announce: told of the model that was found, before it gets any task.
        """
        self._planned = planned
        self._model = model
        self._settings = settings
        self._announce = announce
        self._source = source_of(model, settings)
        self._verdicts: Verdicts | None = None
        self._answering: Answering | None = None

    async def ask(self, task: Task) -> Prediction:
        """The model's answer to a task, not executed yet.

        Raises:
            SynConfRouteError: the model cannot answer, or the text may not leave.
        """
        if self._answering is None:
            self._answering = await self._ready()
        return await self._answering.answer(task)

    async def aclose(self) -> None:
        """Close all connections, and end what was started."""
        await self._source.aclose()
        if self._verdicts is not None:
            await self._verdicts.aclose()

    async def _ready(self) -> Answering:
        self._verdicts = verdicts_of(self._planned.conditions.validator)
        served = await self._source.ready()
        self._announce(served)
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


def passes(pairs: Sequence[tuple[Task, str]], workers: int | None = None) -> list[bool]:
    """Whether each text passes its task; so many programs at a time, by default as processors."""
    return [result.passed for result in judge(pairs, workers=workers)]
