"""Several answers to each task, and their majority."""

from collections.abc import Iterator

from synconfroute.evaluation.report.blocks import Cell, Missing, Section, Table
from synconfroute.evaluation.report.findings import Findings, Voted
from synconfroute.evaluation.report.sections.commands import VOTING
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import bench_name, interval, of, percent
from synconfroute.evaluation.routing.statistics import interval_by_group


def voting(found: Findings) -> Section:
    """Votes of more and more draws beside the greedy answer."""
    if not found.voted:
        missing = Missing(
            "No draws above temperature 0, of which a majority could be taken:", VOTING
        )
        return Section("Voting", [missing])
    table = Table(
        ["model", "voting", "pass@1", "different texts a task", "no right answer among them"],
        [row for each in found.voted for row in _rows(each)],
        caption="The text that most of the cleaned answers have, of equals the surer one; pass@1"
        " in percent. Greedy: the same model at temperature 0 on the same tasks, asked for in the"
        " same way.",
        words=frozenset({0, 1}),
    )
    return Section("Voting", [table, made_by(each.draws for each in found.voted)])


def _rows(each: Voted) -> Iterator[list[str | Cell]]:
    answers, tasks = each.draws, len(each.groups)
    name = Cell(
        answers.model.label, f"{tasks:,} tasks of {bench_name(answers.bench)}; {answers.arm.label}"
    )
    if each.greedy is not None:
        yield [name, "greedy", percent(each.greedy / tasks), "1.0", of(tasks - each.greedy, tasks)]
    for vote in each.votes:
        share = sum(vote.right) / tasks
        yield [
            name,
            "one draw" if vote.answers == 1 else f"{vote.answers} draws",
            Cell(percent(share), interval(interval_by_group(vote.right, each.groups))),
            f"{vote.distinct:.1f}",
            of(vote.hopeless, tasks),
        ]
