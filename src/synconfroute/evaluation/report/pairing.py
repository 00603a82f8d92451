"""A local and a larger model on the same tasks: the strategies between them, and who is right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from synconfroute.evaluation.report.failures import Complement, complement
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.routing.answers import sight
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.row import Row, row
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.evaluation.routing.study import Protocol, Study, study

FEWEST = 20
"""Tasks below which no threshold is fitted."""

FEWEST_GROUPS = 5
"""Functions, for five folds."""

RELIABLE = 50
"""Tasks that the paper wants for a threshold (§4.1); with fewer it is said."""

Fitting = Callable[[Sequence[Example]], Sequence[Strategy]]
"""Which strategies are replayed on some tasks."""


@dataclass(frozen=True)
class Pairing:
    """Two models on the tasks of one benchmark that both answered.

    Attributes:
        local: the local model's answers.
        larger: the larger model's.
        examples: the tasks that both have.
        alone: answers whose task the other lacks.
        study: the strategies; None where there are too few tasks to fit any.
        complement: who is right where.
    """

    local: Judged
    larger: Judged
    examples: tuple[Example, ...]
    alone: int
    study: Study | None
    complement: Complement

    @property
    def bench(self) -> str:
        """The benchmark."""
        return self.local.answers.bench

    @property
    def name(self) -> str:
        """Of the pair."""
        return f"{self.local.answers.model.label} → {self.larger.answers.model.label}"

    @property
    def arms(self) -> str:
        """How both were asked for."""
        ours, theirs = self.local.answers.arm.label, self.larger.answers.arm.label
        return ours if ours == theirs else f"{ours}; the larger model: {theirs}"

    @property
    def whole(self) -> bool:
        """True if these are all tasks of the benchmark."""
        return len(self.examples) == self.local.answers.tasks

    @property
    def tasks(self) -> str:
        """How many, in words."""
        count, of = len(self.examples), self.local.answers.tasks
        return f"all {count:,} tasks" if self.whole else f"a sample, {count:,} of {of:,} tasks"


def examples_of(local: Judged, larger: Judged) -> list[Example]:
    """The tasks that both models answered, in the order of the local one."""
    theirs = {each.task.id: index for index, each in enumerate(larger.answers.stored)}
    found = []
    for index, stored in enumerate(local.answers.stored):
        other = theirs.get(stored.task.id)
        if other is None:
            continue
        seen = sight(stored, local.texts[index], local.verdicts[index], several=False)
        found.append(
            Example(
                seen,
                local.right[index],
                larger.right[other],
                stored.prediction.seconds,
                larger.answers.stored[other].prediction.seconds,
                larger.texts[other],
            )
        )
    return found


def pairing(local: Judged, larger: Judged, fitting: Fitting, protocol: Protocol) -> Pairing | None:
    """Replay the strategies between two models; None where they have no task in common.

    Args:
        local: the local model's answers.
        larger: the larger model's, to the same benchmark.
        fitting: what to replay on these tasks.
        protocol: how fitting and testing are kept apart.
    """
    examples = examples_of(local, larger)
    if not examples:
        return None
    enough = fits(examples)
    return Pairing(
        local,
        larger,
        tuple(examples),
        local.count + larger.count - 2 * len(examples),
        study(examples, fitting(examples), protocol) if enough else None,
        complement(examples),
    )


def at_threshold(study: Study, name: str, threshold: float) -> Row:
    """A strategy of a study at a threshold of ours instead of those that were picked."""
    (strategy,) = (each for each in strategies(None) if each.name == name)
    return row(strategy, [replace(task, threshold=threshold) for task in study.routed[name]])


def fits(examples: Sequence[Example]) -> bool:
    """True if there are enough tasks, and of enough functions, to fit thresholds on."""
    groups = {each.sight.group for each in examples}
    return len(examples) >= FEWEST and len(groups) >= FEWEST_GROUPS


def matched(local: Sequence[Judged], larger: Sequence[Judged]) -> list[tuple[Judged, Judged]]:
    """Which answers of two models to one benchmark are set against each other.

    Those that were asked for in the same way: without examples, else with. Where there are none,
    the largest of either without. Those with the most tasks come first.
    """
    same = [(a, b) for a in local for b in larger if a.answers.arm == b.answers.arm]
    plain = [pair for pair in same if pair[0].answers.arm.plain]
    if same:
        return sorted(plain or same, key=lambda pair: -min(pair[0].count, pair[1].count))
    ours, theirs = ([each for each in side if each.answers.arm.plain] for side in (local, larger))
    if not ours or not theirs:
        return []
    return [(max(ours, key=lambda each: each.count), max(theirs, key=lambda each: each.count))]
