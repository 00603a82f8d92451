"""Real edits, replayed: by our verdicts, and by every other method that can be had."""

from collections.abc import Iterator

from benchmarks.validation import corpora, edited, others, rates
from benchmarks.validation.corpora import TRUTH, sample
from benchmarks.validation.edited import both, truth_and_damage
from benchmarks.validation.report import HISTORY, OURS, Row
from benchmarks.validation.settings import Settings
from synconfroute.validators.verdict import Outcome

LANGUAGES = tuple(edited.REPLAYED)
_SURE_KINDS = ("fence", "fim_token", "overclose", "drop_quote")


def rows(settings: Settings, language: str, remarks: list[str]) -> Iterator[Row]:
    """Truth rejected, damage found, and each kind of damage."""
    on = f"replay, {language}"
    cases = sample(corpora.replay(settings.data, language), settings.sizes.states)
    fresh, known = rates.ours(cases, history=False), rates.ours(cases, history=True)
    yield from truth_and_damage(on, fresh, known, edited.REPLAYED[language])
    sure = both(fresh, known, Outcome.INVALID, *_SURE_KINDS)
    what = ", ".join(_SURE_KINDS) + " found, %"
    held = (sure[OURS] or 0) >= 97
    yield Row(on, what, fresh.total(*_SURE_KINDS), sure, "≥ 97", held)
    for kind in fresh.kinds:
        found = both(fresh, known, Outcome.INVALID, kind)
        yield Row(on, f"{kind} found, %", fresh.total(kind), found)
    remarks += [f"{on}: truth rejected: {name}" for name in fresh.rejected + known.rejected]


def beside_others(settings: Settings, language: str, _remarks: list[str]) -> Iterator[Row]:
    """The same states by every method."""
    cases = sample(corpora.replay(settings.data, language), settings.sizes.compared)
    found = {OURS: rates.ours(cases, history=False), HISTORY: rates.ours(cases, history=True)}
    for name, judge in others.judges(language).items():
        found[name] = rates.theirs(cases, judge)
    first = found[OURS]
    for what, kinds in (("truth invalid, %", (TRUTH,)), ("damage found, %", ())):
        values = {name: each.share(Outcome.INVALID, *kinds) for name, each in found.items()}
        yield Row(f"same cases, {language}", what, first.total(*kinds), values)
