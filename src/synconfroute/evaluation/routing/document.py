"""A study as JSON, which scripts rely on."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from synconfroute.evaluation.routing.curve import Curve, area
from synconfroute.evaluation.routing.gates.gate import Gate
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Study


def document(study: Study, gates: tuple[Gate, ...] = ()) -> dict[str, Any]:
    """`strategies` and `curves`, and beside them what else was found.

    Shares are fractions, times are seconds; what is not known is null.
    """
    claims = study.claims
    return {
        "tasks": study.tasks,
        "strategies": [_row(row, study.curves[row.name]) for row in study.rows],
        "curves": {name: _points(curve) for name, curve in study.curves.items()},
        "metrics": {
            name: {"area": _rounded(area(curve)), "curve": _points(curve)}
            for name, curve in study.metrics.items()
        },
        "gates": [_gate(gate) for gate in gates],
        "mcnemar": [asdict(each) for each in study.compared],
        "claims": {
            "synconfroute_at_least_confidence": not claims.worse_at,
            "worse_at": list(claims.worse_at),
            "no_right_answer_rejected": not claims.rejected,
            "rejected": list(claims.rejected),
        },
    }


def scores(study: Study) -> Iterator[dict[str, Any]]:
    """The score of each task by each strategy, out of fold: what the curves are made of."""
    for name, tasks in study.routed.items():
        for task in tasks:
            yield {
                "task_id": task.example.sight.task_id,
                "strategy": name,
                "score": task.score,
                "threshold": task.threshold,
                "local_right": task.example.local_right,
                "larger_right": task.example.larger_right,
            }


def _row(row: Row, curve: Curve) -> dict[str, Any]:
    return {
        "name": row.name,
        "threshold": row.threshold,
        "pass_at_1": row.pass_at_1,
        "local_share": row.local_share,
        "ci95": list(row.ci95),
        "false_rejections": row.false_rejections,
        "false_escalations": row.false_escalations,
        "false_low_confidence": row.false_low_confidence,
        "cost": row.cost,
        "private_share": row.local_share,
        "median_seconds": row.median_seconds,
        "p90_seconds": row.p90_seconds,
        "larger_seconds": row.larger_seconds,
        "area": _rounded(area(curve)),
    }


def _gate(gate: Gate) -> dict[str, Any]:
    return {
        "name": gate.name,
        "flagged": gate.flagged,
        "false_alarms": gate.false_alarms,
        "right": gate.right,
        "note": gate.note,
        "area": _rounded(area(gate.curve)),
        "curve": _points(gate.curve),
    }


def _points(curve: Curve) -> list[list[float]]:
    return [[share, _rounded(quality)] for share, quality in curve]


def _rounded(value: float) -> float:
    return round(value, 6)
