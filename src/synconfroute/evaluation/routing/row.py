"""What a strategy gives: one row of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from synconfroute.evaluation.routing.replay import Routed
from synconfroute.evaluation.routing.statistics import interval_by_group
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.validators.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy on the tested tasks.

    Attributes:
        name: of the strategy.
        threshold: the median of those picked, over the tasks; None where none is picked.
        pass_at_1: share of tasks whose answer passed.
        local_share: share of tasks whose local answer is kept: of requests that stay private.
        ci95: bootstrap interval of pass@1, whole functions drawn.
        false_rejections: right local answers that were sent away and judged invalid.
        false_low_confidence: right local answers that were sent away and not judged invalid.
        median_seconds: until the answer, or None where that is not known.
        p90_seconds: until the answer in nine of ten, or None.
        larger_seconds: what the larger model took for all tasks together, or None.
    """

    name: str
    threshold: float | None
    pass_at_1: float
    local_share: float
    ci95: tuple[float, float]
    false_rejections: int
    false_low_confidence: int
    median_seconds: float | None
    p90_seconds: float | None
    larger_seconds: float | None

    @property
    def false_escalations(self) -> int:
        """Right local answers sent away for any reason."""
        return self.false_rejections + self.false_low_confidence

    @property
    def cost(self) -> float:
        """The share of requests that the larger model answers."""
        return 1.0 - self.local_share


def row(strategy: Strategy, tasks: Sequence[Routed]) -> Row:
    """The row of a strategy.

    Args:
        strategy: the strategy.
        tasks: replayed, at least one.
    """
    right = [task.right for task in tasks]
    lost = [task for task in tasks if not task.kept and task.example.local_right]
    rejected = [task for task in lost if strategy.judges and _invalid(task)]
    waits = _waits(strategy, tasks)
    return Row(
        name=strategy.name,
        threshold=(
            median(task.threshold for task in tasks) if strategy.threshold is None else None
        ),
        pass_at_1=sum(right) / len(right),
        local_share=sum(task.kept for task in tasks) / len(tasks),
        ci95=interval_by_group(right, [task.example.sight.group for task in tasks]),
        false_rejections=len(rejected),
        false_low_confidence=len(lost) - len(rejected),
        median_seconds=median(waits) if waits else None,
        p90_seconds=quantiles(waits, n=10)[-1] if len(waits) > 1 else None,
        larger_seconds=_larger_seconds(tasks),
    )


def _invalid(task: Routed) -> bool:
    return task.example.sight.verdict.outcome is Outcome.INVALID


def _waits(strategy: Strategy, tasks: Sequence[Routed]) -> list[float]:
    """Seconds until each answer; [] where they are not known.

    A request that is sent waits for both models one after the other, except where the strategy
    decides before the local model runs.
    """
    waits = []
    for task in tasks:
        local, larger = task.example.local_seconds, task.example.larger_seconds
        if local is None or larger is None:
            return []
        if task.kept:
            waits.append(local)
        else:
            waits.append(larger if strategy.before else local + larger)
    return waits


def _larger_seconds(tasks: Sequence[Routed]) -> float | None:
    seconds = [task.example.larger_seconds for task in tasks if not task.kept]
    known = [second for second in seconds if second is not None]
    return sum(known) if len(known) == len(seconds) else None
