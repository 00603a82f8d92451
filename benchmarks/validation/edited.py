"""The rows on states of someone typing: with the buffer before the edit known, and without."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.validation.corpora import TRUTH
from benchmarks.validation.rates import Rates
from benchmarks.validation.report import HISTORY, OURS, Row
from synconfroute.validators.verdict import Outcome

_EASY = {"fence", "fim_token"}


@dataclass(frozen=True, slots=True)
class Goals:
    """What is wanted, in percent: without the history, and with it.

    Attributes:
        most: the most truths that may be rejected.
        least: the least damage that must be found.
    """

    most: tuple[float, float]
    least: tuple[float, float]


REPLAYED = {
    "python": Goals((0.5, 0.1), (80, 85)),
    "java": Goals((0.5, 0.1), (78, 82)),
    "cpp": Goals((0.5, 0.1), (70, 75)),
}
FURTHER = Goals((0, 0), (60, 60))


def truth_and_damage(on: str, fresh: Rates, known: Rates, goals: Goals) -> Iterator[Row]:
    """Truth rejected, unknown verdicts, damage found, and found without the kinds easy to find."""
    invalid = both(fresh, known, Outcome.INVALID, TRUTH)
    wanted = _pair("≤", goals.most)
    held = all((invalid[name] or 0) <= most for name, most in _named(goals.most))
    yield Row(on, "truth invalid, %", fresh.total(TRUTH), invalid, wanted, held)
    unknown = {OURS: fresh.unknown(), HISTORY: known.unknown()}
    held = all((share or 0) <= 3 for share in unknown.values())
    yield Row(on, "unknown, %", fresh.total(TRUTH) + fresh.total(), unknown, "≤ 3", held)
    found = both(fresh, known, Outcome.INVALID)
    held = all((found[name] or 0) >= least for name, least in _named(goals.least))
    yield Row(on, "damage found, %", fresh.total(), found, _pair("≥", goals.least), held)
    rest = harder(fresh)
    found = both(fresh, known, Outcome.INVALID, *rest)
    yield Row(on, "without fence and FIM token, %", fresh.total(*rest), found)


def both(fresh: Rates, known: Rates, outcome: Outcome, *kinds: str) -> dict[str, float | None]:
    """The share of an outcome without the history, and with it."""
    return {OURS: fresh.share(outcome, *kinds), HISTORY: known.share(outcome, *kinds)}


def harder(rates: Rates) -> list[str]:
    """The kinds of damage that no single sign gives away."""
    return [kind for kind in rates.kinds if kind not in _EASY]


def _named(goals: tuple[float, float]) -> Iterator[tuple[str, float]]:
    return zip((OURS, HISTORY), goals, strict=True)


def _pair(sign: str, goals: tuple[float, float]) -> str:
    return ", ".join(f"{sign} {goal:g}" if goal else "0" for goal in dict.fromkeys(goals))
