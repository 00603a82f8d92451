"""Has a model answer tasks as the server would ask it, for a calibration."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.answering import Answering
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import NONE
from synconfroute.evaluation.generation.opening import indented
from synconfroute.evaluation.generation.outcomes import Execute
from synconfroute.evaluation.generation.plan import digest_of
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import run
from synconfroute.evaluation.generation.source import LocalSource, OrgSource, Source
from synconfroute.evaluation.generation.verdicts import verdicts_of
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion.tiers import Served
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Questions:
    """What a model is asked.

    Attributes:
        tasks: with the cursor where it is to be.
        path: the file that a task's text is from; policy is asked about it.
        execute: says which answers pass.
        judge: what `execute` goes by, one phrase.
        indented: the cursor stands behind the indentation.
        cut: "live": prompts are cut as the server cuts them on this machine; "context": only to
            what the model's context holds.
    """

    tasks: tuple[Task, ...]
    path: Callable[[Task], Path]
    execute: Execute
    judge: str
    indented: bool
    cut: Literal["live", "context"]

    def conditions(self, served: Served, settings: Settings) -> Conditions:
        """As the server asks: by fill-in-the-middle where the model has it."""
        return Conditions(
            prompt="fim" if served.ask.family is not None else "chat",
            cursor="indented" if self.indented else "line-start",
            cut=self.cut,
            max_tokens=settings.limits.single_line_tokens,
            multi_line_tokens=settings.limits.multi_line_tokens,
        )


@dataclass(frozen=True, slots=True)
class Answers:
    """What a model answered.

    Attributes:
        model: its name on its server, as the server's router knows it.
        predictions: one a task.
    """

    model: str
    predictions: Sequence[Prediction]


def questions(
    tasks: Sequence[Task],
    path: Callable[[Task], Path],
    execute: Execute,
    *,
    judge: str,
    cursor_indented: bool,
    cut: Literal["live", "context"],
) -> Questions:
    """The questions for these tasks."""
    asked = map(indented, tasks) if cursor_indented else tasks
    return Questions(tuple(asked), path, execute, judge, cursor_indented, cut)


async def local_answers(
    asked: Questions,
    settings: Settings,
    file: Path,
    on_answer: Callable[[], object],
    tell: Callable[[str], None],
) -> Answers:
    """The local model's answers, recorded in a file that a later call goes on with.

    Args:
        asked: what.
        settings: which model, and its limits.
        file: where the answers are recorded.
        on_answer: called after each answer.
        tell: told how much of a prompt this machine lets through, where that is little.

    Raises:
        SynConfRouteError: there is no model, or it failed; what was answered is recorded.
    """
    return await _answers(asked, LocalSource(settings), settings, file, on_answer, tell)


async def org_answers(
    asked: Questions,
    settings: Settings,
    file: Path,
    on_answer: Callable[[], object],
    tell: Callable[[str], None],
) -> Answers:
    """The organisation's model's answers: policy and ledger stand before each request.

    Args:
        asked: what.
        settings: the address, and what may leave.
        file: where the answers are recorded.
        on_answer: called after each answer.
        tell: told count and address before anything is sent.

    Raises:
        SynConfRouteError: it cannot be asked, a file may not leave, or the server failed.
    """
    return await _answers(asked, OrgSource(settings), settings, file, on_answer, tell)


async def _answers(
    asked: Questions,
    source: Source,
    settings: Settings,
    file: Path,
    on_answer: Callable[[], object],
    tell: Callable[[str], None],
) -> Answers:
    verdicts = verdicts_of("live")
    try:
        served = await source.ready()
        conditions = asked.conditions(served, settings)
        answering = Answering(
            served.client.name,
            source,
            served,
            conditions,
            {task.bench: NONE for task in asked.tasks},
            verdicts,
            settings.router.confidence,
            "",
        )

        async def ask(task: Task) -> Prediction:
            return await replace(answering, path=str(asked.path(task))).answer(task)

        begun_with = {
            "model": served.model,
            "tasks": digest_of(asked.tasks),
            "judge": asked.judge,
            **asdict(conditions),
        }
        record = Record(file, begun_with, {})
        with record.held():
            done = record.resume()
            for sentence in _announced(served, conditions, len(asked.tasks) - len(done)):
                tell(sentence)
            made = await run(
                asked.tasks, ask, record, asked.execute, done=done, on_answer=on_answer
            )
        return Answers(served.model, made)
    finally:
        await source.aclose()
        await verdicts.aclose()


def _announced(served: Served, conditions: Conditions, left: int) -> Iterator[str]:
    """What the user should know before the questions are asked."""
    yield f"{left} prompts go to {served.client.address}, to the model {served.model}."
    most = served.ask.prompt_tokens
    if conditions.cut == "live" and most is not None:
        yield (
            f"They are cut to {most} tokens, as the server cuts them: this machine evaluates no"
            " more in time as it is now; --cut context sends what the model can take."
        )
