"""Chat and fill-in-the-middle, with and without the paper's repair of the indentation."""

from synconfroute.evaluation.report.blocks import Cell, Section, Table
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import bench_name, interval, percent


def repairs(found: Findings) -> Section | None:
    """The answers under the paper's profile, read in three ways; None where there are none."""
    if not found.repairs:
        return None
    rows: list[list[str | Cell]] = [
        [
            each.repaired.answers.model.label,
            Cell(each.repaired.answers.arm.label, bench_name(each.repaired.answers.bench)),
            each.repaired.answers.drawn,
            *(
                Cell(percent(one.passed), interval(one.interval))
                for one in (each.raw, each.unrepaired, each.repaired)
            ),
        ]
        for each in found.repairs
    ]
    table = Table(
        ["model", "asked", "how many", "as sent", "code alone", "repaired"],
        rows,
        caption="pass@1 in percent under the paper's profile. As sent: the first line as it came."
        " Code alone: without fences and special tokens. Repaired: its indentation too, the paper's"
        " one step of post-processing.",
        words=frozenset({0, 1, 2}),
    )
    return Section(
        "Prompt and repair", [table, made_by(each.raw.answers for each in found.repairs)]
    )
