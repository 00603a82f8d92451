"""Quality over the threshold: the whole routed rule, verdict included, replayed at each one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from synconfroute.evaluation.routing.grid import THRESHOLDS
from synconfroute.server.completion import Candidate, Escalate, decide
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Trial:
    """A finished local answer, and what became of both answers.

    Attributes:
        candidate: as the router sees it.
        group: the function or file that it is of.
        local_right: the local answer passed.
        larger_right: the larger model's passed; None where no larger model was asked.
    """

    candidate: Candidate
    group: str
    local_right: bool
    larger_right: bool | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold comes to.

    Attributes:
        threshold: t.
        tasks: how many.
        kept: local answers kept.
        kept_right: of these, right.
        escalated_right: right answers of the larger model among the escalated; None where no
            larger model was asked.
    """

    threshold: float
    tasks: int
    kept: int
    kept_right: int
    escalated_right: int | None

    @property
    def pass_at_1(self) -> float:
        """Share of tasks that are right; without a larger model what is escalated is wrong."""
        return (self.kept_right + (self.escalated_right or 0)) / self.tasks

    @property
    def local_share(self) -> float:
        """Share of tasks whose local answer is kept."""
        return self.kept / self.tasks

    @property
    def precision(self) -> float | None:
        """Share of the kept answers that are right; None where none is kept."""
        return self.kept_right / self.kept if self.kept else None


def curve(trials: Sequence[Trial], settings: Settings) -> tuple[Point, ...]:
    """Replay the server's own `decide` at each threshold of the grid.

    Args:
        trials: at least one.
        settings: with the rule; their own thresholds make no difference.
    """
    return tuple(_point(trials, settings, threshold) for threshold in THRESHOLDS)


def _point(trials: Sequence[Trial], settings: Settings, threshold: float) -> Point:
    at = replace(settings, router=replace(settings.router, threshold=threshold))
    kept = kept_right = 0
    larger: list[bool] = []
    for trial in trials:
        if isinstance(decide(trial.candidate, at), Escalate):
            if trial.larger_right is not None:
                larger.append(trial.larger_right)
        else:
            kept += 1
            kept_right += trial.local_right
    unknown = any(trial.larger_right is None for trial in trials)
    return Point(threshold, len(trials), kept, kept_right, None if unknown else sum(larger))
