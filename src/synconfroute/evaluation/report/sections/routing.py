"""Table 4 and Figure 3: deployment strategies and routing rules between two models."""

from collections.abc import Iterator, Sequence

from synconfroute.evaluation.report import paper
from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Folded,
    Heading,
    Picture,
    Table,
    Text,
)
from synconfroute.evaluation.report.drawing import curves as lines
from synconfroute.evaluation.report.drawing import scatter
from synconfroute.evaluation.report.drawing.curves import COLOURED, kind_of
from synconfroute.evaluation.report.drawing.scatter import Spot
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.latencies import routed
from synconfroute.evaluation.report.pairing import FEWEST, FEWEST_GROUPS, RELIABLE, Pairing
from synconfroute.evaluation.report.wording import (
    bench_name,
    interval,
    milliseconds,
    number,
    percent,
)
from synconfroute.evaluation.routing.curve import area
from synconfroute.evaluation.routing.grid import THRESHOLDS, points
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Protocol, Study

_SHARES = (0.33, 0.5, 0.61, 0.7)
"""Local shares that the areas' table has pass@1 at; the paper's own run kept 58 %."""

_FIXED = (("confidence", 0.5), ("confidence", 0.7), ("confidence", 0.8), ("synconfroute", 0.6),
          ("synconfroute", 0.7))  # fmt: skip
"""What the paper shows at fixed thresholds (Figure 3, §4.4)."""

_DEPLOYED = (
    ("always-local", "Always local"),
    ("always-larger", "Always larger"),
    ("confidence", "Confidence only"),
    ("synconfroute", "SynConfRoute"),
    ("score", "Score (ours)"),
)

PROTOCOLS: dict[Protocol, str] = {
    "cv": (
        "Five folds by function: whatever is fitted, a threshold too, is fitted on other functions"
        " than it is tested on."
    ),
    "paper": (
        "The paper's protocol: 200 tasks, at most half, drawn with seed 42 to fit on, all others to"
        " test on. Lines of one function fall on both sides, so learned rules look better than they"
        " are."
    ),
}


def routing(pairing: Pairing, found: Findings, name: str) -> Iterator[Block]:
    """One pair on one benchmark.

    Args:
        pairing: the two models.
        found: everything.
        name: of this part, for the names of pictures.
    """
    yield Heading(f"{bench_name(pairing.bench)}: {pairing.arms}")
    yield Text(f"{_first(pairing.tasks)}.{_alone(pairing)} {_read(pairing)}")
    if pairing.study is None:
        yield Text(
            f"Fewer than {FEWEST} tasks or {FEWEST_GROUPS} functions: no threshold is fitted on"
            " them, and no strategy compared."
        )
        return
    if len(pairing.examples) < RELIABLE:
        yield Text(
            f"Fewer than {RELIABLE} tasks, which the paper wants for a threshold: what is fitted"
            " here is fitted on little."
        )
    yield _table_4(pairing, pairing.study, found)
    yield _figure_3(pairing, pairing.study, name)
    yield from _curves(pairing.study, name)
    yield _strategies(pairing.study, found.protocol)


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _alone(pairing: Pairing) -> str:
    return (
        f" {pairing.alone} answers are left out: the other model has none." if pairing.alone else ""
    )


def _read(pairing: Pairing) -> str:
    how = {
        "raw": "as the benchmark reads them: leading line breaks dropped, of a line the first",
        "unrepaired": "as cleaning leaves them",
        "cleaned": "as cleaning leaves them and its sure repairs",
        "mended": "as cleaning leaves them, with every repair",
    }
    if pairing.local.text == "cleaned" and pairing.local.answers.arm.profile == "paper":
        reading = "as the paper reads them, with its one repair of the indentation"
    else:
        reading = how[pairing.local.text]
    judge = {"live": "the server's validator", "paper": "whole-file parsing, as in the paper"}
    return f"Answers are read {reading}, and judged by {judge[pairing.local.validator]}."


def _table_4(pairing: Pairing, study: Study, found: Findings) -> Table:
    rows = {row.name: row for row in study.rows}
    beside = found.protocol == "paper" and study.tasks == paper.TESTED
    prompt = pairing.local.answers.arm.prompt
    local = found.latencies.of(pairing.local.answers.model, prompt)
    larger = found.latencies.of(pairing.larger.answers.model, prompt)

    def took(name: str) -> str:
        if name in {"always-local", "always-larger"}:
            timing = local if name == "always-local" else larger
            return milliseconds(timing.latency.seconds.median if timing else None)
        times = routed(pairing, name, local, larger)
        return milliseconds(times.every_early if times else None)

    shown = [
        [
            said,
            Cell(percent(rows[name].pass_at_1), interval(rows[name].ci95)),
            f"{rows[name].cost:.0%}",
            f"{rows[name].local_share:.0%}",
            took(name),
            *(_papers(name) if beside else ()),
        ]
        for name, said in _DEPLOYED
    ]
    bound = f"{paper.ORACLE:.1f}"
    shown.append(
        ["Oracle (upper bound)", percent(rows["oracle"].pass_at_1), "–", "–", "–",
         *((bound, "–") if beside else ())]
    )  # fmt: skip
    heads = ["strategy", "pass@1", "cost", "private", "median latency"]
    heads += ["paper: pass@1", "paper: private"] if beside else []
    return Table(
        heads, shown, frozenset({3}), "Table 4",
        f"Deployment strategies, {pairing.name}, {study.tasks:,} tasks"
        f"{'' if pairing.whole else ' (a sample)'}, each at the threshold that is best on other"
        " tasks. Cost: share of requests that the larger model answers; what such a request costs"
        " in money or energy is not measured. Private: share of completions that never leave the"
        f" machine. {_latency_said(local is not None and larger is not None)}"
        + (" Paper: its 3B and 480B models on 833 tasks." if beside else ""),
    )  # fmt: skip


def _latency_said(known: bool) -> str:
    if known:
        return "Latency: median of all requests, escalations by low confidence decided at token 3."
    return "Latency is not given: it needs a file of `eval latency` with both models."


def _papers(name: str) -> tuple[str, str]:
    if name not in paper.STRATEGIES:
        return "–", "–"
    quality, private = paper.STRATEGIES[name]
    return f"{quality:.1f}", f"{private:.0f}%"


def _figure_3(pairing: Pairing, study: Study, name: str) -> Picture:
    spots = [_spot(row.name, row.local_share, row.pass_at_1) for row in study.rows]
    for strategy, threshold in _FIXED:
        point = points([task.scored for task in study.routed[strategy]])[
            THRESHOLDS.index(threshold)
        ]
        label = f"{strategy} {threshold:g}"
        spots.append(
            Spot(label, kind_of(strategy), point.local_share, point.pass_at_1, hollow=True)
        )
    before = "static, knn, combined and eagle decide before the local model answers"
    return Picture(
        scatter.strategies(spots),
        f"{name}-strategies",
        f"Routing methods by pass@1 and local share, {pairing.name}, {study.tasks:,} tasks"
        f"{'' if pairing.whole else ' (a sample)'}. Filled: at the threshold that is best on other"
        f" tasks; hollow: at the paper's fixed ones. Of the grey ones {before}. Farther up is"
        " better, farther right is more private.",
        _legend(study),
        filled=True,
        title="Figure 3",
    )


def _spot(name: str, share: float, quality: float) -> Spot:
    return Spot(
        name, kind_of(name), share, quality, diamond=name in {"always-local", "always-larger"}
    )


def _legend(study: Study) -> list[tuple[str, str]]:
    shown = [name for name in (*COLOURED, "oracle") if name in study.curves]
    return [(name, name) for name in shown] + [("other strategies", "other")]


def _curves(study: Study, name: str) -> Iterator[Block]:
    drawn = {
        strategy: curve
        for strategy, curve in study.curves.items()
        if strategy not in {"always-local", "always-larger"}
    }
    yield Picture(
        lines.curves(drawn),
        f"{name}-curves",
        "Each strategy ranks the tasks by one score, out of fold where anything is fitted, and"
        " keeps the top share. Higher is better at any share; a single threshold hides that.",
        _legend(study),
        title="Quality over local share.",
    )
    order = sorted(drawn, key=lambda strategy: -area(drawn[strategy]))
    yield Table(
        ("strategy", "area", *(f"at {share:.0%} local" for share in _SHARES)),
        [
            (
                strategy,
                percent(area(drawn[strategy])),
                *(percent(drawn[strategy][round(100 * share)][1]) for share in _SHARES),
            )
            for strategy in order
        ],
        frozenset(index for index, strategy in enumerate(order) if strategy in COLOURED),
        caption=f"The area under each curve, its mean pass@1 over all local shares; {study.tasks:,}"
        " tasks.",
    )


def _strategies(study: Study, protocol: Protocol) -> Folded:
    rows = study.rows
    return Folded(
        "All strategies at their thresholds",
        [
            Text(PROTOCOLS[protocol]),
            Table(
                ("strategy", "t", "pass@1", "95 %", "local", "right sent away", "of these invalid",
                 "p"),
                [_row(row, study) for row in rows],
                frozenset(index for index, row in enumerate(rows) if row.name in COLOURED),
            ),
            Text(
                "t is the median of the thresholds picked on the other folds. Local is also the"
                " share of requests that stay private; the rest is what the larger model costs. p"
                " is McNemar's exact test against synconfroute."
            ),
        ],
    )  # fmt: skip


def _row(row: Row, study: Study) -> Sequence[str]:
    low, high = row.ci95
    pair = {row.name, "synconfroute"}
    against = next((each.p for each in study.compared if {each.first, each.second} == pair), None)
    return (
        row.name,
        number(row.threshold, ".2f"),
        percent(row.pass_at_1),
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{row.local_share:.0%}",
        str(row.false_escalations),
        str(row.false_rejections),
        number(against, ".3f"),
    )
