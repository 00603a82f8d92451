"""Published benchmarks: their truths in clean buffers and in broken ones, and damaged truths."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.validation import corpora, others, rates
from benchmarks.validation.breakage import broken_elsewhere
from benchmarks.validation.corpora import TRUTH, Case, sample
from benchmarks.validation.edited import harder
from benchmarks.validation.report import OURS, UNKNOWN, Row
from benchmarks.validation.settings import Settings
from synconfroute.validators.verdict import Outcome

FURTHER = ("javascript", "go", "rust")
CORPORA: dict[str, Callable[[Path], list[Case]]] = {
    "HumanEval-Infilling": corpora.infilling,
    "SAFIM, python": lambda data: corpora.safim(data, "python"),
    "SAFIM, java": lambda data: corpora.safim(data, "java"),
    "SAFIM, cpp": lambda data: corpora.safim(data, "cpp"),
    "HumanEval-X lines, java": lambda data: _truths(corpora.humaneval_x(data, "java")),
    "HumanEval-X lines, cpp": lambda data: _truths(corpora.humaneval_x(data, "cpp")),
}


def rows(settings: Settings, on: str, remarks: list[str]) -> Iterator[Row]:
    """The truths of one benchmark, in clean buffers and in buffers broken elsewhere."""
    cases = sample(CORPORA[on](settings.data), settings.sizes.cases)
    counted = rates.ours(cases, history=False)
    values = {
        OURS: counted.share(Outcome.INVALID, TRUTH),
        UNKNOWN: counted.share(Outcome.UNKNOWN, TRUTH),
    }
    yield Row(
        on, "truth invalid, %", counted.total(TRUTH), values, "0; unknown ≤ 0.5",
        not values[OURS] and (values[UNKNOWN] or 0) <= 0.5,
    )  # fmt: skip
    remarks += [f"{on}: truth rejected: {name}" for name in counted.rejected]
    yield from _broken(on, cases, remarks)


def further(settings: Settings, language: str, remarks: list[str]) -> Iterator[Row]:
    """Another language: every line of HumanEval-X, whole and damaged."""
    on = f"HumanEval-X lines, {language}"
    cases = sample(corpora.humaneval_x(settings.data, language), settings.sizes.cases)
    counted = rates.ours(rates.only_damage(cases, others.parses), history=False)
    values = {
        OURS: counted.share(Outcome.INVALID, TRUTH),
        UNKNOWN: counted.share(Outcome.UNKNOWN, TRUTH),
    }
    yield Row(on, "truth invalid, %", counted.total(TRUTH), values, "0", not values[OURS])
    found = counted.share(Outcome.INVALID) or 0.0
    yield Row(on, "damage found, %", counted.total(), {OURS: found}, "≥ 70", found >= 70)
    rest = harder(counted)
    without = {OURS: counted.share(Outcome.INVALID, *rest)}
    yield Row(on, "without fence and FIM token, %", counted.total(*rest), without)
    remarks += [f"{on}: truth rejected: {name}" for name in counted.rejected]


def _truths(cases: list[Case]) -> list[Case]:
    return [
        Case(each.name, each.language, each.prefix, each.suffix, {TRUTH: each.texts[TRUTH]})
        for each in cases
    ]


def _broken(on: str, cases: list[Case], remarks: list[str]) -> Iterator[Row]:
    broken = [found for case in cases if (found := broken_elsewhere(case)) is not None]
    for where, inside in (("elsewhere", False), ("in the hole's statement", True)):
        chosen = [case for case, same in broken if same is inside]
        if not chosen:
            continue
        counted = rates.ours(chosen, history=False)
        share = counted.share(Outcome.INVALID, TRUTH) or 0.0
        values = {OURS: share, UNKNOWN: counted.share(Outcome.UNKNOWN, TRUTH)}
        goal, kept = ("", None) if inside else ("≤ 0.8", share <= 0.8)
        yield Row(f"{on}, broken {where}", "truth invalid, %", len(chosen), values, goal, kept)
        if not inside:
            remarks += [f"{on}, broken: truth rejected: {name}" for name in counted.rejected]
