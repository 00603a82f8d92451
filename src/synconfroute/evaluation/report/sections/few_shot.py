"""Examples in the prompt against none."""

from collections.abc import Iterator

from synconfroute.evaluation.report.blocks import Block, Cell, Missing, Section, Table
from synconfroute.evaluation.report.findings import Findings, Shots
from synconfroute.evaluation.report.sections.commands import FEW_SHOT
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import bench_name, interval, of, percent
from synconfroute.evaluation.shots.copying import KINDS
from synconfroute.evaluation.shots.regressions import Arm

_HEADS = ("model", "examples", "tasks", "without", "with", "change", "gained", "lost",
          "indentation copied", "content copied", "other", "p")  # fmt: skip


def few_shot(found: Findings) -> Section:
    """What examples gain and lose, one arm a row."""
    return Section("Examples in the prompt", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    if not found.shots:
        yield Missing("No answers with examples in their prompts, beside such without:", FEW_SHOT)
        return
    yield Table(
        _HEADS,
        [[*_names(each), *_figures(each)] for each in found.shots],
        caption="pass@1 in percent on the tasks that have both answers, asked for in the same way"
        " otherwise. Lost: right without examples and wrong with them; of these, copied: see “How"
        " it was made”. p: McNemar's exact test.",
        words=frozenset({0, 1}),
    )
    yield made_by(one.answers for each in found.shots for one in (each.zero, each.judged))
    for each in found.shots:
        if each.why_not:
            yield Missing(each.why_not, "synconfroute eval report … --larger THAT-FILE")


def _names(each: Shots) -> list[str | Cell]:
    answers = each.judged.answers
    asked = f"{bench_name(answers.bench)}; {each.zero.answers.arm.label}"
    return [Cell(answers.model.label, asked), answers.arm.few_shot]


def _figures(each: Shots) -> list[str | Cell]:
    return _uncompared(each) if each.compared is None else _compared(each.compared)


def _compared(arm: Arm) -> list[str | Cell]:
    change = arm.change
    return [
        f"{arm.tasks:,}",
        *(
            Cell(percent(share.value), interval((share.low, share.high)))
            for share in (arm.zero, arm.shot)
        ),
        Cell(f"{100 * change.value:+.1f}", f"{100 * change.low:+.0f} to {100 * change.high:+.0f}"),
        f"{arm.gained}",
        f"{len(arm.lost)}",
        *(of(arm.kinds[kind], len(arm.lost)) for kind in KINDS),
        f"{arm.p:.3f}",
    ]


def _uncompared(each: Shots) -> list[str | Cell]:
    """What can be told without the examples' texts."""
    before, after = each.zero.by_task, each.judged.by_task
    common = [name for name in after if name in before]
    lost = sum(before[name] and not after[name] for name in common)
    gained = sum(after[name] and not before[name] for name in common)
    shares = [sum(side[name] for name in common) / len(common) for side in (before, after)]
    change = f"{100 * (shares[1] - shares[0]):+.1f}"
    unknown = ["–"] * (len(KINDS) + 1)
    return [f"{len(common):,}", *map(percent, shares), change, f"{gained}", f"{lost}", *unknown]
