"""Times one model's answers, one request after the other, warm."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synconfroute.errors import EvaluationError, PromptTooLong
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.plan import Plan
from synconfroute.evaluation.generation.prompting import Prompting
from synconfroute.evaluation.generation.source import Source
from synconfroute.evaluation.latency.document import CountedBy, ModelLatency, Spread, Timed
from synconfroute.evaluation.latency.spread import rounded, spread
from synconfroute.evaluation.latency.stopwatch import Stopwatch


@dataclass(frozen=True, slots=True)
class Warm:
    """The tasks of a measurement.

    Attributes:
        first: asked once before, and not counted; of a function that no counted task is of where
            there is one, so that no counted prompt is in the server's cache.
        counted: asked after it, in this order.
    """

    first: Task
    counted: Sequence[Task]


def warm(everything: Sequence[Task], counted: Sequence[Task]) -> Warm:
    """Choose the first one.

    Args:
        everything: all tasks of the benchmark.
        counted: those that are measured, at least one.
    """
    groups = {task.group for task in counted}
    return Warm(
        next((task for task in everything if task.group not in groups), counted[-1]), counted
    )


async def measure(
    provider: str,
    source: Source,
    watch: Stopwatch,
    plan: Plan,
    tasks: Warm,
    on_answer: Callable[[], object],
) -> ModelLatency:
    """Ask a model for all answers and time them.

    What the server itself keeps of earlier prompts is left as it is: tasks of one function share
    the beginning of theirs.

    Args:
        provider: who serves it, as it was named.
        source: the model.
        watch: stands between the source and its client.
        plan: the conditions, and the examples.
        tasks: what is asked.
        on_answer: called after each counted answer.

    Raises:
        EvaluationError: the server took no prompt at all.
        SynConfRouteError: the model cannot be asked, or its server failed.
    """
    served = await source.ready()
    asking = _Asking(source, watch, plan)
    await asking.timed(tasks.first)
    timed: list[Timed] = []
    refused = 0
    for task in tasks.counted:
        answer = await asking.timed(task)
        if answer is None:
            refused += 1
        else:
            timed.append(answer)
        on_answer()
    if not timed:
        raise EvaluationError(f"{served.model} took none of the {len(tasks.counted)} prompts.")
    groups = [each.group for each in timed]
    return ModelLatency(
        provider,
        asking.model or served.model,
        served.probe.server,
        served.probe.device,
        len(timed),
        refused,
        seconds=spread([each.seconds for each in timed], groups),
        first_token=spread([each.first_token for each in timed], groups),
        third_token=spread([each.third_token for each in timed], groups),
        tokens_per_second=_speeds(timed),
        prompt_tokens=spread([each.prompt_tokens for each in timed], groups),
        prompt_tokens_by=asking.counted_by,
        answers=tuple(timed),
    )


class _Asking:
    """Asks one task after the other."""

    def __init__(self, source: Source, watch: Stopwatch, plan: Plan) -> None:
        self._source = source
        self._watch = watch
        self._plan = plan
        self.model = ""
        self.counted_by: CountedBy = "server"

    async def timed(self, task: Task) -> Timed | None:
        """One answer; None where the prompt was refused in every length."""
        conditions, draw = self._plan.conditions, self._plan.draw
        prompting = Prompting(task, conditions, self._plan.examples[task.bench].of(task))
        hole = hole_of(task, str(draw.data.absolute() / draw.bench))
        stop = conditions.stop == "structural"
        started = time.perf_counter()
        try:
            draft = await self._source.draft(
                hole, prompting, conditions.extent_for(task.bench), stop=stop
            )
        except PromptTooLong:
            return None
        seconds = time.perf_counter() - started
        came = [moment - started for moment in self._watch.came]
        tokens, by = self._watch.prompt_tokens()
        self.model = draft.model or self.model
        self.counted_by = by if by == "estimate" else self.counted_by
        first, third = (came[at] if len(came) > at else seconds for at in (0, 2))
        return Timed(
            task.bench,
            task.id,
            task.group,
            rounded(seconds),
            rounded(first),
            rounded(third),
            len(came),
            tokens,
        )


def _speeds(timed: Sequence[Timed]) -> Spread | None:
    """Tokens a second between the first and the end, of answers with more than one."""
    several = [each for each in timed if each.tokens > 1 and each.seconds > each.first_token]
    if not several:
        return None
    return spread(
        [(each.tokens - 1) / (each.seconds - each.first_token) for each in several],
        [each.group for each in several],
    )
