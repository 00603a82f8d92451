"""Figure 4: routing on the nine splits of SAFIM."""

from collections.abc import Iterator, Sequence

from synconfroute.evaluation.datasets.safim import SAFIM as SPLITS
from synconfroute.evaluation.report.blocks import Block, Cell, Folded, Missing, Picture, Table, Text
from synconfroute.evaluation.report.drawing.bars import Bar, Panel, panels
from synconfroute.evaluation.report.findings import Findings, Split
from synconfroute.evaluation.report.pairing import FEWEST, FEWEST_GROUPS, RELIABLE
from synconfroute.evaluation.report.sections.commands import SAFIM
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import (
    KINDS,
    LANGUAGES,
    bench_name,
    interval,
    of,
    percent,
)
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.statistics import interval_by_group
from synconfroute.validators.verdict import Outcome

SHOWN = (
    ("always-local", "local"),
    ("confidence", "confidence"),
    ("synconfroute", "synconfroute"),
    ("score", "score"),
    ("always-larger", "larger"),
)
"""Strategies with the classes of their colours."""


def figure_4(found: Findings) -> Iterator[tuple[str, Sequence[Block]]]:
    """A title and what stands under it, for each pair."""
    if not found.splits:
        missing = Missing("No two of these models have answered the same tasks of SAFIM:", SAFIM)
        yield "Figure 4: routing on SAFIM", [missing]
    pairs: dict[str, list[Split]] = {}
    for split in found.splits:
        pairs.setdefault(split.pairing.name, []).append(split)
    for index, (name, splits) in enumerate(pairs.items()):
        title = "Figure 4: routing on SAFIM" + (f", {name}" if len(pairs) > 1 else "")
        yield title, tuple(_pair(name, splits, index))


def _pair(name: str, splits: Sequence[Split], index: int) -> Iterator[Block]:
    by_bench = {split.pairing.bench: split for split in splits}
    order = [f"safim-{kind}-{language}" for language in LANGUAGES for kind in KINDS]
    fitted = sorted({split.fitted_on for split in splits if split.fitted_on})
    splits = sorted(splits, key=lambda split: order.index(split.pairing.bench))
    marks = (
        f" The ring and its line: the same rule as it was fitted on {fitted[0]}, unchanged."
        if fitted
        else " Nothing fitted on single lines of these two models is at hand to be carried over."
    )
    yield Picture(
        panels([_panel(bench, by_bench.get(bench)) for bench in order]),
        f"safim-{index}",
        f"{name}. pass@1 in percent, with 95 % intervals; thresholds and score fitted out of fold"
        f" within each split.{marks} API tasks are compared with the true text, since they have no"
        " tests.",
        list(SHOWN),
        filled=True,
        title="Figure 4",
    )
    if few := [split for split in splits if len(split.pairing.examples) < RELIABLE]:
        yield Text(
            f"{len(few)} of the {len(splits)} splits have fewer than {RELIABLE} tasks, which the"
            " paper wants for one threshold: what is fitted within them is fitted on little, and"
            " their intervals are wide."
        )
    yield _gains(splits)
    yield Folded("The same in numbers", [_numbers(splits)])
    yield made_by(
        one.answers for split in splits for one in (split.pairing.local, split.pairing.larger)
    )


def _panel(bench: str, split: Split | None) -> Panel:
    title = bench_name(bench).removeprefix("SAFIM ")
    if split is None:
        return Panel(title, "not answered by both models", ())
    count = len(split.pairing.examples)
    note = f"{count} tasks{'' if split.pairing.whole else ', a sample'}"
    if split.pairing.local.answers.compared:
        note += ", true text"
    return Panel(
        title,
        note,
        [_bar(name, kind, row, split) for (name, kind), row in _rows(split)],
    )


def _rows(split: Split) -> list[tuple[tuple[str, str], Row | None]]:
    """What is shown with its row; without a study only what needs no threshold."""
    study = split.pairing.study
    if study is not None:
        rows = {row.name: row for row in study.rows}
        return [(each, rows[each[0]]) for each in SHOWN]
    return [(each, None) for each in SHOWN if each[0].startswith("always")]


def _bar(name: str, kind: str, row: Row | None, split: Split) -> Bar:
    other = split.transferred.get(name)
    mark = None if other is None else other.pass_at_1
    if row is not None:
        return Bar(name, kind, row.pass_at_1, row.ci95, mark)
    examples = split.pairing.examples
    right = [each.local_right if name == "always-local" else each.larger_right for each in examples]
    bounds = interval_by_group(right, [each.sight.group for each in examples])
    return Bar(name, kind, sum(right) / len(right), bounds, mark)


def _gains(splits: Sequence[Split]) -> Table:
    """What the verdict adds to confidence, how the local model fails, and what was rejected."""
    return Table(
        ["split", "synconfroute over confidence", "score over confidence", "synconfroute: local",
         "wrong local answers", "of these invalid", "right ones rejected"],
        [[bench_name(split.pairing.bench), *_over_confidence(split), *_failing(split)]
         for split in splits],
        caption="Differences of pass@1 in points, out of fold. Invalid: by the validator that goes"
        " with the answers; a right answer that is called invalid is rejected.",
    )  # fmt: skip


def _over_confidence(split: Split) -> list[str]:
    study = split.pairing.study
    if study is None:
        return ["too few tasks", "–", "–"]
    rows = {row.name: row for row in study.rows}
    confidence, ours, score = (rows[name] for name in ("confidence", "synconfroute", "score"))
    return [
        f"{100 * (ours.pass_at_1 - confidence.pass_at_1):+.1f}",
        f"{100 * (score.pass_at_1 - confidence.pass_at_1):+.1f}",
        f"{ours.local_share:.0%}",
    ]


def _failing(split: Split) -> list[str]:
    verdicts = [
        (each.local_right, each.sight.verdict.outcome is Outcome.INVALID)
        for each in split.pairing.examples
    ]
    wrong = [invalid for right, invalid in verdicts if not right]
    right = [invalid for right, invalid in verdicts if right]
    return [f"{len(wrong)}", of(sum(wrong), len(wrong)), f"{sum(right)} of {len(right)}"]


def _numbers(splits: Sequence[Split]) -> Table:
    rows: list[list[str | Cell]] = []
    for split in splits:
        for (name, _), row in _rows(split):
            if row is None:
                continue
            moved = split.transferred.get(name)
            rows.append(
                [
                    bench_name(split.pairing.bench),
                    name,
                    f"{len(split.pairing.examples)}",
                    Cell(percent(row.pass_at_1), interval(row.ci95)),
                    f"{row.local_share:.0%}",
                    percent(moved.pass_at_1) if moved else "–",
                    f"{moved.local_share:.0%}" if moved else "–",
                ]
            )
    return Table(
        [
            "split",
            "strategy",
            "tasks",
            "pass@1",
            "local",
            "pass@1 carried over",
            "local carried over",
        ],
        rows,
        caption=f"Splits with fewer than {FEWEST} tasks or {FEWEST_GROUPS} problems are left out:"
        f" nothing is fitted on so few. Splits that can be had: {len(SPLITS)}.",
        words=frozenset({0, 1}),
    )
