"""The rows on evidence: on recorded answers, on true code."""

from collections.abc import Iterator

from benchmarks.validation import corpora, evidence, replayed
from benchmarks.validation.corpora import sample
from benchmarks.validation.report import OURS, Row
from benchmarks.validation.settings import Settings

SOLUTIONS = "canonical solutions"
PARTS = (*evidence.MODELS, SOLUTIONS, *replayed.LANGUAGES)


def rows(settings: Settings, part: str, _remarks: list[str]) -> Iterator[Row]:
    """A model's answers, the canonical solutions, or a language's replayed truths."""
    if part in evidence.MODELS:
        yield from _answers(settings, part)
    elif part == SOLUTIONS:
        found = corpora.infilling(settings.data)
        single = [case for case in found if case.name.startswith("SingleLine")]
        pointed, total = evidence.of_truths(single)
        yield Row(part, "with evidence", total, {OURS: pointed}, "≤ 1", pointed <= 1)
    else:
        cases = sample(corpora.replay(settings.data, part), settings.sizes.states)
        pointed, total = evidence.of_truths(cases)
        what, share = "truth with evidence, %", 100 * pointed / total
        yield Row(f"replay, {part}", what, total, {OURS: share})


def _answers(settings: Settings, model: str) -> Iterator[Row]:
    for half, worth in evidence.of_answers(settings.data, model).items():
        on = f"answers of the {model}, {half} problems"
        total = worth.pointed_wrong + worth.pointed_right
        promised = model == "0.5b" and half == "all"
        goals = [(95, worth.precision, "evidence that is right, %", total),
                 (40, worth.found, "wrong answers with evidence, %", worth.wrong)]  # fmt: skip
        for goal, value, what, count in goals:
            held = (f"≥ {goal}", value >= goal) if promised else ("", None)
            yield Row(on, what, count, {OURS: value}, *held)
