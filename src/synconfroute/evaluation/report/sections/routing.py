"""Figure 3: routing rules between two models."""

from collections.abc import Iterator, Sequence

from synconfroute.evaluation.report.blocks import (
    Block,
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
from synconfroute.evaluation.report.pairing import FEWEST, FEWEST_GROUPS, RELIABLE, Pairing
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.sections.table_4 import table_4
from synconfroute.evaluation.report.wording import (
    bench_name,
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
    yield table_4(pairing, pairing.study, found)
    yield _figure_3(pairing, pairing.study, name)
    yield from _curves(pairing.study, name)
    yield _strategies(pairing.study, found.protocol)
    yield made_by((pairing.local.answers, pairing.larger.answers))


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
