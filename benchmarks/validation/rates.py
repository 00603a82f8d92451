"""How often each verdict is said, over the cases of one corpus."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.validation.corpora import TRUTH, Case
from benchmarks.validation.others import Judge
from synconfroute.validators.buffer import Buffer
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence, Outcome

Found = Iterator[tuple[str, Outcome]]


@dataclass
class Rates:
    """Outcomes counted by the kind of text.

    Attributes:
        counts: by kind, by outcome.
        rejected: names of the cases whose truth is invalid.
        undecided: names of the cases with an unknown verdict, and the kind of text.
    """

    counts: dict[str, Counter[Outcome]] = field(default_factory=dict)
    rejected: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)

    def add(self, case: Case, found: Found) -> None:
        """Count what was said of the texts of a case."""
        for kind, outcome in found:
            self.counts.setdefault(kind, Counter())[outcome] += 1
            if outcome is Outcome.INVALID and kind == TRUTH:
                self.rejected.append(case.name)
            elif outcome is Outcome.UNKNOWN:
                self.undecided.append(f"{case.name} ({kind})")

    def total(self, *kinds: str) -> int:
        """Texts of these kinds; of all kinds of damage where none is named."""
        return sum(self._counts(kinds).values())

    def share(self, outcome: Outcome, *kinds: str) -> float | None:
        """The share of an outcome in `total`, in percent; None where there is none."""
        counted = self._counts(kinds)
        return 100 * counted[outcome] / counted.total() if counted else None

    def unknown(self) -> float | None:
        """The share of unknown verdicts among truths and damaged ones, in percent."""
        return self.share(Outcome.UNKNOWN, *self.counts)

    @property
    def kinds(self) -> list[str]:
        """The kinds of damage."""
        return sorted(set(self.counts) - {TRUTH})

    def _counts(self, kinds: Iterable[str]) -> Counter[Outcome]:
        chosen = tuple(kinds) or tuple(self.kinds)
        return sum((self.counts.get(kind, Counter()) for kind in chosen), Counter())


def ours(cases: Iterable[Case], *, history: bool) -> Rates:
    """Our verdicts, with the buffer before the edit known or not."""
    rates = Rates()
    for case in cases:
        rates.add(case, ((kind, outcome) for kind, outcome, _ in verdicts(case, history=history)))
    return rates


def verdicts(
    case: Case, *, history: bool = True
) -> Iterator[tuple[str, Outcome, tuple[Evidence, ...]]]:
    """Our verdict on each text of a case, with the evidence."""
    buffer = Buffer(case.language)
    if history and case.before is not None:
        buffer.update(case.before)
    buffer.update(case.prefix + case.suffix)
    for kind, text in case.texts.items():
        verdict = buffer.judge(len(case.prefix), text)
        yield kind, verdict.outcome, verdict.evidence


def theirs(cases: Iterable[Case], judge: Judge) -> Rates:
    """The verdicts of another method."""
    rates = Rates()
    for case in cases:
        rates.add(case, ((kind, judge(case.insertion(kind))) for kind in case.texts))
    return rates


def only_damage(cases: Iterable[Case], parses: Callable[[str, str], bool]) -> Iterator[Case]:
    """The cases with those of their damaged texts that a whole-file parser rejects."""
    for case in cases:
        kept = {
            kind: text
            for kind, text in case.texts.items()
            if kind == TRUTH
            or not parses(case.language, Insertion(case.prefix, text, case.suffix).buffer)
        }
        yield Case(case.name, case.language, case.prefix, case.suffix, kept, case.before)
