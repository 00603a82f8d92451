"""How long models take, from files of `eval latency`, and what a routed request takes by them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from synconfroute.evaluation.latency.document import Measured, ModelLatency, Timed
from synconfroute.evaluation.report.naming import Named, named
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.routing.metrics import first_three
from synconfroute.evaluation.routing.replay import Routed as Task
from synconfroute.evaluation.routing.strategies.score import score
from synconfroute.server.completion.confidence import FIRST
from synconfroute.server.completion.score import best_reachable


@dataclass(frozen=True, slots=True)
class Timing:
    """One model's latency and the measurement that it is of."""

    latency: ModelLatency
    measured: Measured

    @property
    def by_task(self) -> dict[str, Timed]:
        """Each answer, by its task."""
        return {each.task_id: each for each in self.latency.answers}


@dataclass(frozen=True, slots=True)
class Routed:
    """What requests take under a rule, seconds.

    Attributes:
        escalated: the middle of those that the larger model answers, decided when the local answer
            is complete: both models one after the other, as the paper counts; None without any.
        escalated_early: the same, where low confidence is decided at the third token; the rest of
            the escalated ones, invalid answers, still wait for the whole local answer.
        every: the middle of all requests, kept ones included, as the paper counts.
        every_early: the same, decided at the third token.
        tasks: how many there are of both models' latency and of the rule.
    """

    escalated: float | None
    escalated_early: float | None
    every: float
    every_early: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Latencies:
    """All measurements at hand."""

    measured: Sequence[Measured]

    def of(self, model: Named, prompt: str) -> Timing | None:
        """A model's by the same prompt, another one being longer or shorter; None without any."""
        found = (
            Timing(latency, each)
            for each in self.measured
            for latency in each.models
            if named(latency.model) == model and each.prompt == prompt
        )
        return next(found, None)

    @property
    def machines(self) -> str:
        """Where and how busy, one sentence a measurement."""
        return " ".join(map(_machine, self.measured))


def _machine(measured: Measured) -> str:
    machine, before, after = measured.machine, measured.load_before, measured.load_after
    cores = f"{machine.cores} cores" if machine.cores else f"{machine.threads} threads"
    return (
        f"Warm and sequential on {machine.cpu or 'a processor without a name'}, {cores},"
        f" {machine.memory / 2**30:.0f} GiB; of all processors' time {before.busy:.0%} was in use"
        f" before and {after.busy:.0%} behind the run (load {before.average:.1f} and"
        f" {after.average:.1f})."
    )


def routed(
    pairing: Pairing,
    strategy: str,
    local: Timing | None,
    larger: Timing | None,
    *,
    half: bool = False,
) -> Routed | None:
    """What requests take under a strategy; None where no task has all times.

    Args:
        pairing: the models, with the strategies between them.
        strategy: one that decides when the local model has answered.
        local: the local model's times.
        larger: the larger model's.
        half: keep the better half of the answers, instead of those that reach the threshold.
    """
    if pairing.study is None or local is None or larger is None:
        return None
    tasks = pairing.study.routed[strategy]
    middle = median(task.score for task in tasks)
    if half:
        tasks = [replace(task, threshold=middle) for task in tasks]
    hopeless = _hopeless(pairing, strategy)
    ours, theirs = local.by_task, larger.by_task
    whole: list[float] = []
    early: list[float] = []
    sent: list[int] = []
    for task in tasks:
        name = task.example.sight.task_id
        if name not in ours or name not in theirs:
            continue
        mine, other = ours[name], 0.0 if task.kept else theirs[name].seconds
        if not task.kept:
            sent.append(len(whole))
        at_once = not task.kept and hopeless(task)
        whole.append(mine.seconds + other)
        early.append((mine.third_token if at_once else mine.seconds) + other)
    if not whole:
        return None
    return Routed(
        median([whole[index] for index in sent]) if sent else None,
        median([early[index] for index in sent]) if sent else None,
        median(whole),
        median(early),
        len(whole),
    )


def _hopeless(pairing: Pairing, strategy: str) -> Callable[[Task], bool]:
    """Whether an answer is known at its third token not to reach the threshold.

    By confidence that is final then; a score counts where no later token could lift it, with its
    numbers fitted on all tasks.
    """
    if strategy != "score":
        return lambda task: first_three(task.example.sight.tokens) < task.threshold
    numbers = score(pairing.examples).numbers
    return lambda task: best_reachable(task.example.sight.tokens[:FIRST], numbers) < task.threshold
