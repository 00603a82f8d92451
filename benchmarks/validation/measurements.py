"""The measurements of the table, one function a group of rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figure import percentile
from benchmarks.validation import callbacks, corpora, evidence, others, rates, speed
from benchmarks.validation.breakage import broken_elsewhere
from benchmarks.validation.corpora import TRUTH, Case, sample
from benchmarks.validation.rates import Rates
from benchmarks.validation.report import HISTORY, OURS, UNKNOWN, Row
from synconfroute.validators.languages import LANGUAGES
from synconfroute.validators.verdict import Outcome

REPLAYED = ("python", "java", "cpp")
FURTHER = ("javascript", "go", "rust")
_LEAST = {"python": (80, 85), "java": (78, 82), "cpp": (70, 75)}
_SURE_KINDS = ("fence", "fim_token", "overclose", "drop_quote")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured; None is all there is.

    Attributes:
        cases: holes of each published benchmark.
        states: replayed states a language.
        compared: replayed states a language that all methods judge.
        runs: verdicts timed, a language and size.
    """

    cases: int | None = None
    states: int | None = None
    compared: int = 24
    runs: int = 300


QUICK = Sizes(cases=300, states=60, compared=3, runs=60)


def replay(data: Path, sizes: Sizes, remarks: list[str]) -> Iterator[Row]:
    """Real edits: truth rejected, damage found, with the history and without."""
    for language in REPLAYED:
        on = f"replay, {language}"
        cases = sample(corpora.replay(data, language), sizes.states)
        fresh, known = rates.ours(cases, history=False), rates.ours(cases, history=True)
        invalid = _both(fresh, known, Outcome.INVALID, TRUTH)
        yield Row(
            on, "truth invalid, %", fresh.total(TRUTH), invalid, "≤ 0.5, ≤ 0.1",
            _at_most(invalid, 0.5, 0.1),
        )  # fmt: skip
        unknown = {OURS: fresh.unknown(), HISTORY: known.unknown()}
        total = fresh.total(TRUTH) + fresh.total()
        yield Row(on, "unknown, %", total, unknown, "≤ 3", _at_most(unknown, 3, 3))
        caught = _both(fresh, known, Outcome.INVALID)
        least = _LEAST[language]
        kept = all((caught[name] or 0) >= goal for name, goal in zip(caught, least, strict=True))
        goals = f"≥ {least[0]}, ≥ {least[1]}"
        yield Row(on, "damage found, %", fresh.total(), caught, goals, kept)
        yield _sure(on, fresh, known)
        for kind in fresh.kinds:
            yield Row(on, f"{kind} found, %", fresh.total(kind),
                      _both(fresh, known, Outcome.INVALID, kind))  # fmt: skip
        remarks += [f"{on}: truth rejected: {name}" for name in fresh.rejected + known.rejected]


def published(data: Path, sizes: Sizes, remarks: list[str]) -> Iterator[Row]:
    """Published benchmarks: their truths in clean buffers, and in buffers broken elsewhere."""
    for on, cases in _published(data):
        chosen = sample(cases, sizes.cases)
        counted = rates.ours(chosen, history=False)
        values = {
            OURS: counted.share(Outcome.INVALID, TRUTH),
            UNKNOWN: counted.share(Outcome.UNKNOWN, TRUTH),
        }
        yield Row(
            on, "truth invalid, %", counted.total(TRUTH), values, "0; unknown ≤ 0.5",
            not values[OURS] and (values[UNKNOWN] or 0) <= 0.5,
        )  # fmt: skip
        remarks += [f"{on}: truth rejected: {name}" for name in counted.rejected]
        yield from _broken(on, chosen, remarks)


def further(data: Path, sizes: Sizes, remarks: list[str]) -> Iterator[Row]:
    """Other languages: every line of HumanEval-X, whole and damaged."""
    for language in FURTHER:
        if language not in LANGUAGES or others.parser_of(language) is None:
            continue
        on = f"HumanEval-X lines, {language}"
        cases = sample(corpora.humaneval_x(data, language), sizes.cases)
        counted = rates.ours(rates.only_damage(cases, others.parses), history=False)
        values = {
            OURS: counted.share(Outcome.INVALID, TRUTH),
            UNKNOWN: counted.share(Outcome.UNKNOWN, TRUTH),
        }
        yield Row(on, "truth invalid, %", counted.total(TRUTH), values, "0", not values[OURS])
        found = counted.share(Outcome.INVALID) or 0.0
        yield Row(on, "damage found, %", counted.total(), {OURS: found}, "≥ 70", found >= 70)
        rest = [kind for kind in counted.kinds if kind not in {"fence", "fim_token"}]
        without = {OURS: counted.share(Outcome.INVALID, *rest)}
        yield Row(on, "without fence and FIM token, %", counted.total(*rest), without)
        remarks += [f"{on}: truth rejected: {name}" for name in counted.rejected]


def beside_others(data: Path, sizes: Sizes, _remarks: list[str]) -> Iterator[Row]:
    """The same replayed states by every method that can be had."""
    for language in REPLAYED:
        cases = sample(corpora.replay(data, language), sizes.compared)
        found = {OURS: rates.ours(cases, history=False), HISTORY: rates.ours(cases, history=True)}
        for name, judge in others.judges(language).items():
            found[name] = rates.theirs(cases, judge)
        first = found[OURS]
        for what, kinds in (("truth invalid, %", (TRUTH,)), ("damage found, %", ())):
            values = {name: each.share(Outcome.INVALID, *kinds) for name, each in found.items()}
            yield Row(f"same cases, {language}", what, first.total(*kinds), values)


def witnesses(data: Path, sizes: Sizes, _remarks: list[str]) -> Iterator[Row]:
    """Evidence: on recorded answers, on true code."""
    for model in evidence.MODELS:
        for half, odd in (("even", False), ("odd", True), ("all", None)):
            worth = evidence.of_answers(data, model, odd=odd)
            on = f"answers of the {model}, {half} problems"
            total = worth.pointed_wrong + worth.pointed_right
            promised = model == "0.5b" and odd is None
            goals = [(95, worth.precision, "evidence that is right, %", total),
                     (40, worth.found, "wrong answers with evidence, %", worth.wrong)]  # fmt: skip
            for goal, value, what, count in goals:
                held = (f"≥ {goal}", value >= goal) if promised else ("", None)
                yield Row(on, what, count, {OURS: value}, *held)
    single = [case for case in corpora.infilling(data) if case.name.startswith("SingleLine")]
    pointed, total = evidence.of_truths(single)
    yield Row("canonical solutions", "with evidence", total, {OURS: pointed}, "≤ 1", pointed <= 1)
    for language in REPLAYED:
        cases = sample(corpora.replay(data, language), sizes.states)
        pointed, total = evidence.of_truths(cases)
        yield Row(
            f"replay, {language}", "truth with evidence, %", total, {OURS: 100 * pointed / total}
        )


def timings(data: Path, sizes: Sizes, _remarks: list[str]) -> Iterator[Row]:
    """A verdict with evidence, the session prepared: milliseconds through the parser process."""
    for language in REPLAYED:
        for lines, goals in ((1_000, {0.5: 1.0, 0.99: 5.0}), (10_000, {0.99: 20.0})):
            taken, unknown = speed.times(data, language, lines, sizes.runs)
            spent = speed.processor_times(data, language, lines, sizes.runs)
            on, share = f"{lines:,} lines, {language}", 100 * unknown / len(taken)
            for part in (0.5, 0.99):
                value, goal = percentile(taken, part), goals.get(part)
                yield Row(
                    on, f"p{part * 100:.0f}, ms", len(taken), {OURS: value, UNKNOWN: share},
                    "" if goal is None else f"≤ {goal:g}", None if goal is None else value <= goal,
                )  # fmt: skip
                what = f"p{part * 100:.0f} of processor time in the parser, ms"
                yield Row(on, what, len(spent), {OURS: percentile(spent, part)})
    for lines in (1_000, 10_000):
        longest = callbacks.longest(lines, sizes.runs)
        yield Row(
            f"{lines:,} lines, python", "longest callback in the server, ms of CPU", sizes.runs,
            {OURS: longest}, "≤ 10", longest <= 10,
        )  # fmt: skip


def _published(data: Path) -> Iterator[tuple[str, list[Case]]]:
    yield "HumanEval-Infilling", corpora.infilling(data)
    for language in REPLAYED:
        yield f"SAFIM, {language}", corpora.safim(data, language)
    for language in ("java", "cpp"):
        cases = corpora.humaneval_x(data, language)
        truths = [
            Case(c.name, language, c.prefix, c.suffix, {TRUTH: c.texts[TRUTH]}) for c in cases
        ]
        yield f"HumanEval-X lines, {language}", truths


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


def _sure(on: str, fresh: Rates, known: Rates) -> Row:
    values = _both(fresh, known, Outcome.INVALID, *_SURE_KINDS)
    what = ", ".join(_SURE_KINDS) + " found, %"
    return Row(on, what, fresh.total(*_SURE_KINDS), values, "≥ 97", (values[OURS] or 0) >= 97)


def _both(fresh: Rates, known: Rates, outcome: Outcome, *kinds: str) -> dict[str, float | None]:
    return {OURS: fresh.share(outcome, *kinds), HISTORY: known.share(outcome, *kinds)}


def _at_most(values: dict[str, float | None], *goals: float) -> bool:
    return all((value or 0) <= goal for value, goal in zip(values.values(), goals, strict=True))
