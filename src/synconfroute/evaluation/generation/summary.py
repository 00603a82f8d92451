"""What a run came to, in a few numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from synconfroute.evaluation.predictions import Prediction


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of one model's answers to one benchmark.

    Attributes:
        bench: the benchmark.
        model: as the server reports it.
        tasks: how many.
        raw: share of raw answers that pass.
        cleaned: share of cleaned answers that pass.
        invalid: share of answers whose verdict is invalid.
        unknown: share of answers on which the validator can say nothing.
        cut_by_limit: share of answers that the limit of tokens ended.
        prompt_cut: share of prompts that were cut.
        median_seconds: from request to last token.
    """

    bench: str
    model: str
    tasks: int
    raw: float
    cleaned: float
    invalid: float
    unknown: float
    cut_by_limit: float
    prompt_cut: float
    median_seconds: float

    @property
    def sentence(self) -> str:
        """The figures for people."""
        return (
            f"{self.model} on {self.bench}: {self.tasks} tasks, {self.raw:.1%} right raw,"
            f" {self.cleaned:.1%} cleaned, {self.invalid:.1%} invalid, {self.unknown:.1%} not"
            f" judged, {self.cut_by_limit:.1%} ended by the limit, {self.prompt_cut:.1%} with a"
            f" cut prompt, {self.median_seconds:.2f} s in the middle."
        )


def summaries(answers: Sequence[Prediction]) -> list[Summary]:
    """One summary for each benchmark among the answers: benchmarks are never averaged."""
    benches = dict.fromkeys(str(answer.provenance["bench"]) for answer in answers)
    return [
        _summary(bench, [each for each in answers if each.provenance["bench"] == bench])
        for bench in benches
    ]


def _summary(bench: str, answers: Sequence[Prediction]) -> Summary:
    made = [answer.provenance for answer in answers]
    return Summary(
        bench,
        str(made[-1]["model"]),
        len(answers),
        raw=_share([bool(answer.passed) for answer in answers]),
        cleaned=_share([bool(row["cleaned_passed"]) for row in made]),
        invalid=_share([row["verdict"] == "invalid" for row in made]),
        unknown=_share([row["verdict"] == "unknown" for row in made]),
        cut_by_limit=_share([bool(row["cut_by_limit"]) for row in made]),
        prompt_cut=_share([any(row["prompt_cut"].values()) for row in made]),
        median_seconds=round(median(answer.seconds or 0.0 for answer in answers), 3),
    )


def _share(held: Sequence[bool]) -> float:
    return round(sum(held) / len(held), 4)
