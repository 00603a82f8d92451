"""A plan in words and tables, for a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.outcome import Estimate, Outcome
from synconfroute.evaluation.capacity.plan import Demand, Plan, Sized
from synconfroute.evaluation.capacity.validity import ASSUMED, COUNTED
from synconfroute.evaluation.capacity.workload import Workload

NUMBERS = {
    "developers": "developers",
    "requests_per_hour": "requests an hour of each",
    "peak": "times that in the busiest hour",
    "escalated": "share that escalates",
    "prompt_tokens": "tokens of a prompt",
    "cached": "share of them in the server's cache",
    "answer_tokens": "tokens of an answer",
    "token_spread": "spread of both",
    "explicit": "share asked for by hand",
    "burst": "requests a burst",
}
"""The attributes of a workload, in words."""
_WIDTH = 100
HEADS = (
    "replicas", "p50 ms", "p95 ms", "95 % interval", "p99 ms", "late", "refused", "busy", "running",
)  # fmt: skip


def told(plan: Plan) -> str:
    """All of it, in lines of less than 100 characters where names are not long."""
    parts = [
        "\n".join(asked_for(plan.demand)),
        _sizes(plan),
        _around(plan),
        _shifted(plan),
        _listed("Where this stops being valid", plan.doubts),
    ]
    return "\n\n".join(part for part in parts if part)


def asked_for(demand: Demand) -> Iterator[str]:
    """What was planned for."""
    workload, site = demand.workload, demand.site
    yield (
        f"{workload.developers:,} developers ask {workload.per_second:,.3g} times a second in the"
        f" busiest hour; {workload.escalated:.0%} of that escalate."
    )
    for name, said in NUMBERS.items():
        source = demand.sources.get(name, "")
        mark = f"  ({source})" if source in {ASSUMED, COUNTED} else ""
        yield f"  {number(workload, name):>8}  {said}{mark}"
    yield f"A replica: {site.profile.name}."
    yield (
        f"Wanted: p95 of at most {demand.target.p95_ms:g} ms, at most {demand.target.missed:.1%}"
        " late or refused."
    )
    yield scheduling(site)


def scheduling(site: Site) -> str:
    """How requests are spread and ordered."""
    order = "those asked for by hand go first" if site.by_rank else "first come, first served"
    way = "by session" if site.by_session else "to the least busy"
    return f"Requests go to replicas {way}; {order}."


def number(workload: Workload, name: str) -> str:
    """One of a workload's numbers."""
    value = getattr(workload, name)
    if name in {"escalated", "cached", "explicit"}:
        return f"{value:.0%}"
    return f"{value:,.4g}"


def sized_in_words(sized: Sized) -> str:
    """What is sent."""
    return f"{sized.escalated:.0%} escalated" if sized.escalated < 1 else "everything sent there"


def cells(replicas: int, found: Outcome) -> tuple[str, ...]:
    """One line under `HEADS`."""
    return (
        f"{replicas:,}",
        f"{found.p50_ms.mean:,.0f}",
        f"{found.p95_ms.mean:,.0f}",
        interval(found.p95_ms),
        f"{found.p99_ms.mean:,.0f}",
        f"{found.late.mean:.2%}",
        f"{found.refused.mean:.2%}",
        f"{found.busy.mean:.0%}",
        f"{found.seats.mean:.1f}",
    )


def interval(estimate: Estimate) -> str:
    """The interval of some ms."""
    return f"{max(0.0, estimate.low):,.0f} to {estimate.high:,.0f}"


def _sizes(plan: Plan) -> str:
    rows: list[tuple[str, ...]] = [("", *HEADS)]
    hours = [("GPU hours", "a day", "a month", "a workday", "a month of workdays")]
    for sized in (plan.routed, plan.everything):
        name = sized_in_words(sized)
        if sized.replicas is None or sized.found is None or sized.gpu_hours is None:
            rows.append((name, "none", *[""] * (len(HEADS) - 1)))
            continue
        rows.append((name, *cells(sized.replicas, sized.found)))
        taken = sized.gpu_hours
        hours.append(
            (
                name,
                f"{taken.day:,.0f}",
                f"{taken.month:,.0f}",
                f"{taken.workday:,.0f}",
                f"{taken.month_of_workdays:,.0f}",
            )
        )
    return "\n\n".join(part for part in (aligned(rows), aligned(hours), saved(plan)) if part)


def saved(plan: Plan) -> str:
    """What sending a part takes beside sending everything; "" where one of them cannot be."""
    ours, all_of_it = plan.routed.gpu_hours, plan.everything.gpu_hours
    if ours is None or all_of_it is None or plan.routed.escalated >= 1:
        return ""
    return (
        f"Sending {plan.routed.escalated:.0%} takes {ours.month / all_of_it.month:.0%} of the GPU"
        " hours that sending everything takes."
    )


def _around(plan: Plan) -> str:
    if not plan.around:
        return ""
    kept = plan.demand.target.kept
    rows: list[tuple[str, ...]] = [(*HEADS, "kept")]
    rows += [(*cells(*each), "yes" if kept(each[1]) else "no") for each in plan.around]
    return "Fewer and more replicas:\n" + aligned(rows)


def _shifted(plan: Plan) -> str:
    if not plan.shifted:
        return ""
    rows = [("", "p95 ms", "late or refused", "busy", "kept")]
    rows += [
        (
            f"{each.name} {each.by - 1:+.0%}",
            f"{each.found.p95_ms.mean:,.0f}",
            f"{each.found.late.mean + each.found.refused.mean:.2%}",
            f"{each.found.busy.mean:.0%}",
            "yes" if each.kept else "no",
        )
        for each in plan.shifted
    ]
    return f"If a number is wrong, with {plan.routed.replicas:,} replicas:\n" + aligned(rows)


def _listed(title: str, sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    wrapped = (
        fill(each, _WIDTH, initial_indent="- ", subsequent_indent="  ") for each in sentences
    )
    return "\n".join([f"{title}:", *wrapped])


def aligned(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns: words at the left, figures at the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
