"""A run of the benchmarks as a page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from benchmarks import comparison
from benchmarks.figure import Figure, Row, Skipped
from benchmarks.page.dots import LEGEND, SHARES_LEGEND, dots, shares
from benchmarks.page.lines import COLOURS, over_lines, over_own, own_times, sizes, taken_apart
from benchmarks.result import Result
from benchmarks.suite import BENCHMARKS
from benchmarks.table import cells, number
from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Document,
    Figures,
    Folded,
    Heading,
    Listing,
    Picture,
    Section,
    Table,
    Text,
    Tone,
)
from synconfroute.evaluation.report.page import page as as_page

_HEAD = ("what", "p50", "p99", "runs", "beside, p50", "ratio", "hold", "kept")
_WORDS = frozenset({0, 4, 6})
_LABELLED = 40
"""More rows than that are in the table only."""


def page(result: Result) -> str:
    """One HTML file; no network, no script."""
    sections = [_held(result), *_sections(result)]
    if result.revision:
        sections.append(_compared(result))
    return as_page(Document("Speed and memory", result.machine, sections))


def _held(result: Result) -> Section:
    kept = len(result.held) - len(result.missed)
    skipped = [row for row in result.all if isinstance(row, Skipped)]
    blocks: list[Block] = [
        Figures(
            [
                ("promises kept", f"{kept} of {len(result.held)}"),
                ("figures", f"{len(result.all) - len(skipped):,}"),
                ("not measured", f"{len(skipped)}"),
            ]
        )
    ]
    if result.promises:
        blocks += [
            Picture(
                shares(result.promises),
                "held",
                "Each promise, in the case that comes nearest to it or misses it most: what was"
                " measured over what is allowed, on a logarithmic axis. Left of the dashed line it"
                " is kept.",
                SHARES_LEGEND,
                filled=True,
            ),
            _table(result.promises),
            Folded("All cases", [_table(result.held)]),
        ]
    if skipped:
        rows: list[list[str | Cell]] = [[row.what, row.case, _reason(row)] for row in skipped]
        heads = ["what", "case", "why"]
        blocks += [Heading("Not measured"), Table(heads, rows, words=frozenset({0, 1, 2}))]
    return Section("What is promised", blocks)


def _sections(result: Result) -> Iterator[Section]:
    for name, rows in result.rows.items():
        figures = [row for row in rows if isinstance(row, Figure)]
        blocks: list[Block] = list(_lines(figures) if name == "added" else _dots(figures))
        if name == "added":
            others = [figure for figure in figures if figure.what != "added per request"]
            blocks += _dots([figure for figure in others if figure.unit == "ms"])
        blocks.append(Folded("As a table", [_table(rows)]) if blocks else _table(rows))
        yield Section(BENCHMARKS[name].title, blocks)


def _lines(figures: Sequence[Figure]) -> Iterator[Block]:
    added = taken_apart(figures)
    for shape in dict.fromkeys(each.shape for each in added):
        of_shape = [each for each in added if each.shape == shape]
        owns = [f"a model that takes {own} ms" for own in own_times(of_shape)]
        yield Picture(
            over_lines(of_shape),
            f"added-{shape.lower()}",
            f"{shape}: added by us, from the key to the answer less the model's own time. Solid:"
            " median; dashed: 99th percentile; short bars: the most that is allowed there.",
            [*zip(owns, COLOURS, strict=False), ("plain http.client", "oracle")],
        )
        if len(owns) > 1:
            lines = [f"{size:,} lines" for size in sizes(of_shape)]
            yield Picture(
                over_own(of_shape),
                f"added-by-speed-{shape.lower()}",
                f"{shape}: the median of what is added, over the model's own time: what can be done"
                " while the model decodes is not added.",
                list(zip(lines, COLOURS, strict=False)),
            )


def _dots(figures: Sequence[Figure]) -> Iterator[Block]:
    by_unit = sorted(figures, key=lambda figure: figure.unit)
    for unit, found in groupby(by_unit, lambda figure: figure.unit):
        rows = list(found)
        if unit != "%" and len(rows) <= _LABELLED:
            yield Picture(dots(rows, unit), f"dots-{unit}", "", LEGEND)


def _table(rows: Sequence[Row]) -> Table:
    return Table(_HEAD, [_cells(row) for row in rows], words=_WORDS)


def _cells(row: Row) -> list[str | Cell]:
    """The cells of the table, with the case below what it is of, so that it fits on a page."""
    what = Cell(row.what, row.case)
    if isinstance(row, Skipped):
        return [what, "", "", "", _reason(row), "", "", ""]
    *_, hold, kept = cells(row)
    tone: Tone = "" if row.kept is None else "good" if row.kept else "bad"
    other = "" if row.beside_p50 is None else f"{number(row.beside_p50)} {row.unit}"
    return [
        what,
        f"{number(row.p50)} {row.unit}",
        number(row.p99),
        f"{row.runs:,}",
        Cell(other, row.beside),
        "" if row.ratio is None else f"{row.ratio:.3g}",
        hold,
        Cell(kept, tone=tone),
    ]


def _reason(row: Skipped) -> Cell:
    return Cell(row.reason, tone="bad" if row.failed else "soft")


def _compared(result: Result) -> Section:
    blocks: list[Block] = [
        Text(
            f"Each benchmark ran here, twice in {result.revision}, and here again; a ratio below 1"
            " says that it is quicker or smaller here."
        ),
        Table(
            comparison.head(result.revision),
            [list(comparison.cells(pair)) for pair in result.compared],
            words=frozenset({0, 1}),
        ),
    ]
    faults = [fault for rows in result.there.values() for fault in comparison.faults(rows)]
    if faults:
        blocks += [Heading("Not measured there"), Listing(faults, "")]
    return Section(f"Beside {result.revision}", blocks)
