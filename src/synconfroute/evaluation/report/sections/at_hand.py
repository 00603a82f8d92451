"""What the report is of: the answers, who gave them to what, and how many are right."""

from collections.abc import Iterator

from synconfroute.evaluation.datasets.motivating import BENCH as TABLE_1
from synconfroute.evaluation.datasets.safim import SAFIM
from synconfroute.evaluation.report import paper
from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Command,
    Figures,
    Missing,
    Section,
    Table,
    Text,
)
from synconfroute.evaluation.report.drawing.curves import COLOURED
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.report.sections.commands import SINGLE_LINE
from synconfroute.evaluation.report.wording import bench_name, interval, percent

_ELSEWHERE = frozenset({*SAFIM, TABLE_1})
"""Benchmarks that have a table of their own."""

_FEW = 10
"""Tasks below which no interval is given."""


def in_short(found: Findings) -> Section:
    """One pair in a few numbers, and the command.

    The pair with the most tasks; of several such the one whose larger model is right most often.
    """
    return Section("In short", tuple(_short(found)))


def _short(found: Findings) -> Iterator[Block]:
    first = sorted(found.pairings, key=_weight, reverse=True)[:1]
    for pairing in first:
        yield Text(f"{pairing.name}, {bench_name(pairing.bench)}, {pairing.tasks}; {pairing.arms}.")
        yield Figures(_numbers(pairing))
    yield Text(
        "Figures are pass@1 in percent: the share of tasks whose answer passes its tests. Intervals"
        " are 95 %, of 2,000 bootstrap samples of whole functions. A sample is called one, and is"
        " set beside no figure of the paper; those stand only where the tasks are the same."
    )
    for pairing in first:
        yield from _claims(pairing)
    yield Command(found.command)


def _weight(pairing: Pairing) -> tuple[int, int]:
    return len(pairing.examples), pairing.complement.both + pairing.complement.larger_only


def _numbers(pairing: Pairing) -> list[tuple[str, str]]:
    who, count = pairing.complement, len(pairing.examples)
    numbers = [
        ("always local", percent((who.both + who.local_only) / count)),
        ("always larger", percent((who.both + who.larger_only) / count)),
        ("whoever is right", percent(who.solvable / count)),
    ]
    if pairing.study is None:
        return numbers
    curves = pairing.study.curves
    half = {name: curve[50][1] for name, curve in curves.items() if name in COLOURED}
    best = max(half, key=lambda name: half[name])
    named = dict.fromkeys((best, "synconfroute", "confidence"))
    return numbers + [(f"{name}, half local", percent(half[name])) for name in named]


def _claims(pairing: Pairing) -> Iterator[Block]:
    if pairing.study is None:
        return
    claims = pairing.study.claims
    at = ", ".join(f"{threshold:.2f}" for threshold in claims.worse_at)
    yield Text(
        "“SynConfRoute is at least as good as confidence alone at the same threshold”: "
        + (f"not held, at {at}." if at else "held, at each of 101 thresholds.")
    )
    count = len(claims.rejected)
    yield Text(
        "“No right local answer is rejected by the validator”: "
        + (f"not held, {count} were." if count else "held.")
    )


def at_hand(found: Findings) -> Section:
    """All answers, one line each."""
    shown = [each for each in found.judged if each.answers.bench not in _ELSEWHERE]
    if not shown:
        return Section("Answers at hand", [Missing("No answers to single lines:", SINGLE_LINE)])
    beside = [_of_the_paper(each) for each in shown]
    heads = ["model", "tasks", "how many", "asked", "pass@1", "invalid"]
    if any(beside):
        heads.append("paper, chat")
    rows: list[list[str | Cell]] = [
        [
            each.answers.model.label,
            bench_name(each.answers.bench),
            each.answers.drawn.replace("drawn with ", ""),
            _asked(each),
            Cell(percent(each.passed), interval(each.interval) if each.count >= _FEW else ""),
            percent(each.invalid),
            *([figure] if any(beside) else []),
        ]
        for each, figure in zip(shown, beside, strict=True)
    ]
    caption = (
        "Every model and way of asking; what was answered of SAFIM and of the six tasks stands in"
        " tables 3 and 1. Invalid: judged so by the validator that goes with the answers, the"
        " server's or, under the paper's profile, whole-file parsing."
    )
    if any(beside):
        caption += " Paper: its figure for the same model on the same tasks, by its chat prompt."
    return Section(
        "Answers at hand", [Table(heads, rows, caption=caption, words=frozenset(range(4)))]
    )


def _asked(each: Judged) -> str:
    seed = f", seed {each.answers.seed}" if each.answers.seed is not None else ""
    return f"{each.answers.arm.label}{seed}"


def _of_the_paper(each: Judged) -> str:
    """The paper's figure, where all the same tasks were answered without examples."""
    answers = each.answers
    if not answers.arm.plain:
        return ""
    figure = paper.figure_for(answers.model.name, answers.bench, each.count)
    return "" if figure is None else f"{figure:.1f}"
