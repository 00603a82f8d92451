"""A study as text for a terminal."""

from collections.abc import Iterator, Sequence

from synconfroute.evaluation.routing.curve import area
from synconfroute.evaluation.routing.gates.gate import Gate
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Study

_SHOWN = (0.33, 0.5, 0.61, 0.7)
"""Local shares that the table shows pass@1 at."""

_HEAD = (
    f"{'strategy':<14} {'t':>5} {'pass@1':>7} {'95 %':>13} {'local':>6} {'lost':>5} {'invalid':>8}"
    f" {'p50 s':>6} {'p90 s':>6} {'larger s':>9} {'p':>7}  {'area':>5}"
    + "".join(f"  @{share:.0%}" for share in _SHOWN)
)
_AGAINST = "synconfroute"


def table(study: Study, gates: Sequence[Gate] = ()) -> Iterator[str]:
    """The lines: strategies, confidence metrics, gates, and what holds of the paper's claims."""
    yield f"{study.tasks} tasks. lost: right local answers sent away; invalid: of these, judged so."
    yield f"p: McNemar against {_AGAINST}. @: pass@1 at that local share. Time adds up as measured."
    yield _HEAD
    for row in study.rows:
        yield _row(row, study)
    yield ""
    yield "Confidence metrics, area and pass@1:"
    for name, curve in study.metrics.items():
        yield f"{name:<20} {area(curve):6.1%} {_at(curve)}"
    if gates:
        yield ""
        yield "Gates, beside the confidence: area and pass@1; flagged, of these right answers:"
    for gate in gates:
        alarms = f"{gate.flagged} flagged, {gate.false_alarms} of {gate.right} right ones"
        yield f"{gate.name:<20} {area(gate.curve):6.1%} {_at(gate.curve)}  {alarms}{gate.note}"
    yield ""
    yield from _claims(study)


def _row(row: Row, study: Study) -> str:
    curve = study.curves[row.name]
    low, high = row.ci95
    return (
        f"{row.name:<14} {_number(row.threshold, '.2f'):>5} {row.pass_at_1:>7.1%}"
        f" {f'{low:.1%}-{high:.1%}':>13} {row.local_share:>6.0%} {row.false_escalations:>5}"
        f" {row.false_rejections:>8} {_number(row.median_seconds, '.2f'):>6}"
        f" {_number(row.p90_seconds, '.2f'):>6} {_number(row.larger_seconds, '.0f'):>9}"
        f" {_difference(study, row.name):>7}  {area(curve):5.1%} {_at(curve)}"
    )


def _at(curve: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{curve[round(share * 100)][1]:5.1%}" for share in _SHOWN)


def _difference(study: Study, name: str) -> str:
    for each in study.compared:
        if {each.first, each.second} == {name, _AGAINST}:
            return f"{each.p:.3f}"
    return "-"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _claims(study: Study) -> Iterator[str]:
    worse, rejected = study.claims.worse_at, study.claims.rejected
    if worse:
        where = ", ".join(f"{threshold:.2f}" for threshold in worse)
        yield f"Not held: SynConfRoute ≥ confidence alone at the same threshold; worse at {where}."
    else:
        yield "Held: SynConfRoute ≥ confidence alone, at each threshold from 0.00 to 1.00."
    if rejected:
        yield f"Not held: no right local answer rejected; rejected: {', '.join(rejected)}."
    else:
        yield "Held: no right local answer rejected."
