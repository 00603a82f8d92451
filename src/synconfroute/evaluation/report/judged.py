"""Answers read, judged and executed: what each comes to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.generation.verdicts import Verdicts, verdicts_of
from synconfroute.evaluation.report.given import Answers
from synconfroute.evaluation.routing.answers import Text, judged, passes
from synconfroute.evaluation.routing.statistics import interval_by_group
from synconfroute.validators.verdict import Outcome, Verdict

Progress = Callable[[Sequence[Stored], str], Iterable[Stored]]


@dataclass(frozen=True)
class Judged:
    """The answers of one model to one benchmark, asked for in one way, with what they come to.

    Attributes:
        answers: the answers.
        text: how they were read.
        validator: who gave the verdicts.
        texts: what would be inserted.
        verdicts: on these.
        right: whether each passes.
    """

    answers: Answers
    text: Text
    validator: str
    texts: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    right: tuple[bool, ...]

    @property
    def count(self) -> int:
        """How many tasks."""
        return len(self.right)

    @property
    def passed(self) -> float:
        """pass@1: the share of tasks whose answer passes."""
        return sum(self.right) / len(self.right)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Of pass@1, 95 %, whole functions drawn."""
        return interval_by_group(self.right, self.answers.groups)

    @property
    def invalid(self) -> float:
        """The share of answers that are judged invalid."""
        bad = sum(each.outcome is Outcome.INVALID for each in self.verdicts)
        return bad / len(self.verdicts)

    @property
    def by_task(self) -> dict[str, bool]:
        """Whether the answer passes, by task."""
        ids = (each.task.id for each in self.answers.stored)
        return dict(zip(ids, self.right, strict=True))


class Judge:
    """Judges answers; what was judged once is remembered."""

    def __init__(self, text: Text | None, validator: str | None, show: Progress) -> None:
        """Read and judge so; None: as the answers' own run did.

        Args:
            text: how answers are read.
            validator: "live" or "paper".
            show: shows how far it is.
        """
        self._text = text
        self._validator = validator
        self._show = show
        self._verdicts: dict[str, Verdicts] = {}

    def reading_of(self, answers: Answers) -> Text:
        """How these answers are read: as was asked for, else as their profile cleans them.

        Where the file says nothing of its run: as the benchmark reads them.
        """
        return self._text or ("cleaned" if answers.arm.profile else "raw")

    def validator_of(self, answers: Answers) -> str:
        """Whose verdict counts: as was asked for, else of the answers' own profile."""
        return self._validator or ("paper" if answers.arm.profile == "paper" else "live")

    async def judged(
        self, answers: Answers, *, text: Text | None = None, stored: Sequence[Stored] | None = None
    ) -> Judged:
        """What the answers come to.

        Args:
            answers: the answers.
            text: another reading.
            stored: the same answers, to be read otherwise.

        Raises:
            EvaluationError: they cannot be judged or executed here.
        """
        reading, validator = text or self.reading_of(answers), self.validator_of(answers)
        given = answers.stored if stored is None else stored
        verdicts = self.verdicts_by(validator)
        found = [await judged(each, reading, verdicts) for each in self._show(given, "verdict")]
        texts = tuple(each for each, _ in found)
        right = passes(given, texts)
        said = tuple(verdict for _, verdict in found)
        return Judged(answers, reading, validator, texts, said, tuple(right))

    def verdicts_by(self, validator: str) -> Verdicts:
        """The validator of that name, started once."""
        if validator not in self._verdicts:
            self._verdicts[validator] = verdicts_of(validator)
        return self._verdicts[validator]

    async def aclose(self) -> None:
        """End what was started."""
        for each in self._verdicts.values():
            await each.aclose()
