"""Table 4: the strategies that somebody who deploys chooses between."""

from collections.abc import Iterator

from synconfroute.evaluation.report import paper
from synconfroute.evaluation.report.blocks import Cell, Table
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.latencies import Timing, routed
from synconfroute.evaluation.report.pairing import Pairing, at_threshold
from synconfroute.evaluation.report.wording import interval, milliseconds, percent
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Study
from synconfroute.server.completion.thresholds import PAPER

_CONSTANT = (("always-local", "Always local"), ("always-larger", "Always larger"))
_FITTED = (
    ("confidence", "Confidence only"),
    ("synconfroute", "SynConfRoute"),
    ("score", "Score (ours)"),
)
_OURS = ["SynConfRoute", "best"]
_HEADS = ("strategy", "threshold", "pass@1", "cost", "private", "half local", "median latency")


def table_4(pairing: Pairing, study: Study, found: Findings) -> Table:
    """Quality, cost, privacy and latency of each strategy.

    Args:
        pairing: the two models.
        study: the strategies between them.
        found: everything.
    """
    beside = found.protocol == "paper" and study.tasks == paper.TESTED
    prompt = pairing.local.answers.arm.prompt
    local = found.latencies.of(pairing.local.answers.model, prompt)
    larger = found.latencies.of(pairing.larger.answers.model, prompt)
    rows = [
        [*cells, *(_papers(name) if beside else ())]
        for name, cells in _rows(pairing, study, local, larger)
    ]
    heads = [*_HEADS, *(("paper: pass@1", "paper: private") if beside else ())]
    marked = frozenset(index for index, row in enumerate(rows) if row[:2] == _OURS)
    return Table(
        heads, rows, marked, "Table 4",
        f"Deployment strategies, {pairing.name}, {study.tasks:,} tasks"
        f"{'' if pairing.whole else ' (a sample)'}. Best: the threshold of the highest pass@1 on"
        " other tasks; where the larger model is better nearly everywhere, that sends nearly"
        " everything, so the paper's fixed one stands beside, and pass@1 with the better half"
        " of the answers kept. Cost: share of requests that the larger model answers; what one"
        " costs in money or energy is not measured. Private: share of completions that never leave"
        f" the machine. {_latency_said(local is not None and larger is not None)}"
        + (" Paper: its 3B and 480B models on 833 tasks." if beside else ""),
        frozenset({0, 1}),
    )  # fmt: skip


def _rows(
    pairing: Pairing, study: Study, local: Timing | None, larger: Timing | None
) -> Iterator[tuple[str, list[str | Cell]]]:
    """Each strategy with its cells."""
    picked = {row.name: row for row in study.rows}
    for (name, said), timing in zip(_CONSTANT, (local, larger), strict=True):
        took = milliseconds(timing.latency.seconds.median if timing else None)
        yield name, [said, "", *_figures(picked[name]), "–", took]
    for name, said in _FITTED:
        times = routed(pairing, name, local, larger)
        took = milliseconds(times.every_early if times else None)
        half = percent(study.curves[name][50][1])
        yield name, [said, "best", *_figures(picked[name]), half, took]
    for name, said in _FITTED[:2]:
        yield "", [said, f"{PAPER:g}, the paper's", *_figures(at_threshold(study, name, PAPER)),
                   "–", "–"]  # fmt: skip
    half = percent(study.curves["oracle"][50][1])
    bound = percent(picked["oracle"].pass_at_1)
    yield "oracle", ["Oracle (upper bound)", "", bound, "–", "–", half, "–"]


def _figures(row: Row) -> list[str | Cell]:
    return [
        Cell(percent(row.pass_at_1), interval(row.ci95)),
        f"{row.cost:.0%}",
        f"{row.local_share:.0%}",
    ]


def _latency_said(known: bool) -> str:
    if known:
        return "Latency: median of all requests, escalations by low confidence decided at token 3."
    return "Latency is not given: it needs a file of “eval latency” with both models."


def _papers(name: str) -> tuple[str, str]:
    if name == "oracle":
        return f"{paper.ORACLE:.1f}", "–"
    if name not in paper.STRATEGIES:
        return "–", "–"
    quality, private = paper.STRATEGIES[name]
    return f"{quality:.1f}", f"{private:.0f}%"
