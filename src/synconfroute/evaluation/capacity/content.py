"""A plan as a report: tables and drawings, for a page."""

from collections.abc import Sequence

from synconfroute.evaluation.capacity import words
from synconfroute.evaluation.capacity.drawing import share_over_replicas, waits_over_replicas
from synconfroute.evaluation.capacity.plan import Plan
from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Document,
    Figures,
    Listing,
    Picture,
    Section,
    Table,
    Text,
)


def document(plan: Plan) -> Document:
    """The report."""
    sections = [
        Section("The answer", _answer(plan)),
        Section("What was planned for", _demand(plan)),
    ]
    if plan.around:
        sections.insert(1, Section("Fewer and more replicas", _around(plan)))
    if plan.shifted:
        sections.append(Section("If a number is wrong", _shifted(plan)))
    sections.append(
        Section(
            "Where this stops being valid",
            [Listing(plan.doubts, "Nothing in these numbers speaks against it.")],
        )
    )
    workload = plan.demand.workload
    return Document(
        "Servers for a fleet",
        f"{workload.developers:,} developers, by simulation.",
        sections,
    )


def _answer(plan: Plan) -> Sequence[Block]:
    routed = plan.routed
    if routed.replicas is None or routed.found is None or routed.gpu_hours is None:
        return [Text("No number of replicas keeps the target.")]
    found = routed.found
    missed = found.late.mean + found.refused.mean
    figures = [
        ("replicas", f"{routed.replicas:,}"),
        ("p95", f"{found.p95_ms.mean:,.0f} ms"),
        ("late or refused", f"{missed:.2%}"),
        ("GPU hours a month", f"{routed.gpu_hours.month:,.0f}"),
    ]
    if plan.everything.gpu_hours is not None:
        figures.append(("everything sent there", f"{plan.everything.gpu_hours.month:,.0f}"))
    rows: list[list[str | Cell]] = []
    for sized in (plan.routed, plan.everything):
        name = words.sized_in_words(sized)
        if sized.replicas is None or sized.found is None or sized.gpu_hours is None:
            rows.append([name, "none", *[""] * len(words.HEADS)])
        else:
            hours = f"{sized.gpu_hours.month:,.0f}"
            rows.append([name, *words.cells(sized.replicas, sized.found), hours])
    heads = ["", *words.HEADS, "GPU hours a month"]
    blocks: list[Block] = [Figures(figures), Table(heads, rows, marked=frozenset({0}))]
    return [*blocks, Text(words.saved(plan))] if words.saved(plan) else blocks


def _demand(plan: Plan) -> Sequence[Block]:
    demand = plan.demand
    rows = [
        [said, words.number(demand.workload, name), demand.sources.get(name, "given")]
        for name, said in words.NUMBERS.items()
    ]
    *_, replica, wanted, way = words.asked_for(demand)
    table = Table(["", "value", "from"], rows, words=frozenset({0, 2}))
    return [table, Text(replica), Text(f"{wanted} {way}")]


def _around(plan: Plan) -> Sequence[Block]:
    kept = plan.demand.target.kept
    rows = [
        [*words.cells(replicas, found), "yes" if kept(found) else "no"]
        for replicas, found in plan.around
    ]
    target = plan.demand.target
    return [
        Picture(
            waits_over_replicas(plan.around, target.p95_ms),
            "waits",
            "How long answers take by the number of replicas; dashed: what p95 may be. The"
            " whiskers are 95 % intervals of p95.",
            [("p50", "synconfroute"), ("p95", "score"), ("p99", "confidence")],
        ),
        Picture(
            share_over_replicas(plan.around, target.missed),
            "missed",
            "Late or refused requests by the number of replicas; dashed: what may be.",
            [("late or refused", "confidence")],
        ),
        Table([*words.HEADS, "kept"], rows),
    ]


def _shifted(plan: Plan) -> Sequence[Block]:
    rows: list[list[str | Cell]] = [
        [
            f"{each.name} {each.by - 1:+.0%}",
            f"{each.found.p95_ms.mean:,.0f}",
            f"{each.found.late.mean + each.found.refused.mean:.2%}",
            f"{each.found.busy.mean:.0%}",
            Cell("yes" if each.kept else "no", tone="good" if each.kept else "bad"),
        ]
        for each in plan.shifted
    ]
    return [Table(["", "p95 ms", "late or refused", "busy", "kept"], rows)]
