"""Table 5: recommended configurations with their latency."""

from collections.abc import Iterator

from synconfroute.evaluation.report.arms import Arm
from synconfroute.evaluation.report.blocks import Block, Cell, Missing, Section, Table, Text
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.latencies import Timing, routed
from synconfroute.evaluation.report.naming import Named
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.report.sections.commands import LATENCY, SINGLE_LINE
from synconfroute.evaluation.report.wording import bench_name, interval, milliseconds, percent
from synconfroute.evaluation.routing.study import Study


def table_5(found: Findings) -> Section:
    """Private, or better by a larger model."""
    return Section("Table 5: recommended configurations", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    if not any(each.study for each in found.pairings):
        yield Missing("No two of these models have answered enough of the same lines:", SINGLE_LINE)
        return
    seen: set[tuple[Named, Arm]] = set()
    rows: list[list[str | Cell]] = []
    for pairing in found.pairings:
        if pairing.study is None:
            continue
        ours = pairing.local.answers
        local = found.latencies.of(ours.model, ours.arm.prompt)
        if (ours.model, ours.arm) not in seen:
            seen.add((ours.model, ours.arm))
            rows.append(_private(pairing, local))
        larger = found.latencies.of(pairing.larger.answers.model, ours.arm.prompt)
        rows += _routed(pairing, pairing.study, local, larger)
    yield Table(
        ["scenario", "set-up", "latency: local + larger", "decided at token 3", "all requests",
         "pass@1"],
        rows,
        title="Table 5",
        caption="Latency of an escalated request: as the paper counts, the whole local generation"
        " and then the larger one; beside it ours, where low confidence is decided at the third"
        " token (prompt and three tokens of the local model, then the larger one), in the middle of"
        " the escalated requests; what only the finished answer tells waits for all of it."
        " All requests: the middle, kept ones included, decided at token 3. Put together task by"
        " task from sequential runs.",
        words=frozenset({0, 1}),
    )  # fmt: skip
    if found.latencies.measured:
        yield Text(found.latencies.machines)
    else:
        yield Missing(
            "Latencies are missing; they need a warm, sequential run of their own:", LATENCY
        )


def _private(pairing: Pairing, local: Timing | None) -> list[str | Cell]:
    answers, judged = pairing.local.answers, pairing.local
    median = milliseconds(local.latency.seconds.median if local else None)
    return [
        "Private (local)",
        Cell(f"{answers.model.label} alone", f"{bench_name(answers.bench)}; {answers.arm.label}"),
        median,
        "–",
        median,
        Cell(percent(judged.passed), f"{interval(judged.interval)}, n {judged.count:,}"),
    ]


def _routed(
    pairing: Pairing, study: Study, local: Timing | None, larger: Timing | None
) -> Iterator[list[str | Cell]]:
    rows = {row.name: row for row in study.rows}
    whole = (
        local.latency.seconds.median + larger.latency.seconds.median if local and larger else None
    )
    asked = f"{bench_name(pairing.bench)}; {pairing.arms}"
    for name, half in (("synconfroute", False), ("score", False), ("score", True)):
        times = routed(pairing, name, local, larger, half=half)
        quality = study.curves[name][50][1] if half else rows[name].pass_at_1
        kept = 0.5 if half else rows[name].local_share
        yield [
            "Balanced (half local)" if half else "Quality (escalates)",
            Cell(f"{pairing.name}, {name}", asked),
            milliseconds(whole),
            milliseconds(times.escalated_early if times else None),
            milliseconds(times.every_early if times else None),
            Cell(percent(quality), f"{kept:.0%} local, n {study.tasks:,}"),
        ]
