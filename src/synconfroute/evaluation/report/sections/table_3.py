"""Table 3: SAFIM, three languages by three kinds of hole."""

from collections.abc import Iterator

from synconfroute.evaluation.datasets.safim import SAFIM as SPLITS
from synconfroute.evaluation.report import paper
from synconfroute.evaluation.report.arms import Arm
from synconfroute.evaluation.report.blocks import Block, Cell, Head, Missing, Section, Table, Text
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.naming import Named
from synconfroute.evaluation.report.sections.commands import SAFIM
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import KINDS, LANGUAGES, bench_name, interval, percent


def table_3(found: Findings) -> Section:
    """pass@1 by split and model."""
    return Section("Table 3: SAFIM in three languages", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    judged = [each for each in found.judged if each.answers.bench in SPLITS]
    if not judged:
        yield Missing("None of these models has answered tasks of SAFIM:", SAFIM)
        return
    order = [f"safim-{kind}-{language}" for language in LANGUAGES for kind in KINDS]
    lines: dict[tuple[Named, Arm], dict[str, Judged]] = {}
    for each in judged:
        lines.setdefault((each.answers.model, each.answers.arm), {})[each.answers.bench] = each
    rows: list[list[str | Cell]] = []
    for (model, arm), splits in lines.items():
        rows.append([Cell(model.label, arm.label), *(_cell(splits.get(bench)) for bench in order)])
        if beside := _of_the_paper(splits):
            rows.append(["as in the paper", *(beside.get(bench, "–") for bench in order)])
    yield Table(
        [
            "model",
            *(Head(kind, language) for language in LANGUAGES.values() for kind in KINDS.values()),
        ],
        rows,
        title="Table 3",
        caption="pass@1 in percent, with its interval and the number of tasks. Control and Block"
        " are executed; API tasks have no tests: right is the true text but for white space, and"
        " they are averaged with nothing.",
    )
    yield made_by(each.answers for each in judged)
    missing = [bench for bench in order if all(bench not in splits for splits in lines.values())]
    if missing:
        names = ", ".join(map(bench_name, missing))
        yield Text(f"Not answered by any of these models: {names}.")


def _cell(each: Judged | None) -> Cell:
    if each is None:
        return Cell("–", tone="soft")
    return Cell(percent(each.passed), f"{interval(each.interval)}\nn {each.count}")


def _of_the_paper(splits: dict[str, Judged]) -> dict[str, str]:
    """Its figures for the same model, of the splits that were answered as a whole."""
    return {
        bench: f"{figure:.1f}"
        for bench, each in splits.items()
        if (figure := paper.figure_for(each.answers.model.name, bench, each.count)) is not None
    }
