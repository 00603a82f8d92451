"""What the wrong local answers are: no code, or code that is wrong; and who is right where."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.metrics import first_three
from synconfroute.server.completion.thresholds import PAPER
from synconfroute.validators.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Failures:
    """The wrong local answers by what one validator says of them.

    The paper gives its 46 % in two phrasings: of all wrong answers those that are no valid code
    (abstract), and of the confident but wrong ones those (§4.3). Both are counted.

    Attributes:
        validator: whose verdicts.
        wrong: wrong local answers.
        wrong_invalid: of these, judged invalid.
        sure_wrong: wrong ones whose confidence is at least the paper's threshold.
        sure_wrong_invalid: of these, judged invalid.
        right: right local answers.
        rejected: the right ones that were judged invalid, by task id.
    """

    validator: str
    wrong: int
    wrong_invalid: int
    sure_wrong: int
    sure_wrong_invalid: int
    right: int
    rejected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How often one kind of evidence is seen beside answers that are not invalid.

    Attributes:
        kind: of evidence.
        right: right answers that have it.
        wrong: wrong ones.
    """

    kind: str
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Complement:
    """Which model is right where: counts of tasks."""

    both: int
    local_only: int
    larger_only: int
    neither: int

    @property
    def tasks(self) -> int:
        """All of them."""
        return self.both + self.local_only + self.larger_only + self.neither

    @property
    def solvable(self) -> int:
        """Those that at least one model has right."""
        return self.tasks - self.neither


def failures(examples: Sequence[Example], verdicts: Sequence[Outcome], validator: str) -> Failures:
    """Count the failures.

    Args:
        examples: the tasks.
        verdicts: on the local answer of each.
        validator: whose they are.
    """
    judged = list(zip(examples, verdicts, strict=True))
    wrong = [(each, verdict) for each, verdict in judged if not each.local_right]
    sure = [(each, verdict) for each, verdict in wrong if first_three(each.sight.tokens) >= PAPER]
    return Failures(
        validator,
        len(wrong),
        sum(verdict is Outcome.INVALID for _, verdict in wrong),
        len(sure),
        sum(verdict is Outcome.INVALID for _, verdict in sure),
        len(examples) - len(wrong),
        tuple(
            each.sight.task_id
            for each, verdict in judged
            if each.local_right and verdict is Outcome.INVALID
        ),
    )


def suspicions(examples: Sequence[Example]) -> list[Suspicion]:
    """Evidence by kind, the most frequent first."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for each in examples:
        if each.sight.verdict.outcome is not Outcome.INVALID:
            kinds = {evidence.kind for evidence in each.sight.verdict.evidence}
            (right if each.local_right else wrong).update(kinds)
    seen = sorted(right | wrong, key=lambda kind: (-right[kind] - wrong[kind], kind))
    return [Suspicion(kind, right[kind], wrong[kind]) for kind in seen]


def complement(examples: Sequence[Example]) -> Complement:
    """Who is right where."""
    counts = Counter((each.local_right, each.larger_right) for each in examples)
    return Complement(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )
