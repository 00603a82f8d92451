"""All figures as one table: of plain text for a terminal, of Markdown for a document."""

from collections.abc import Sequence

from benchmarks.figure import Figure, Row, Skipped

HEAD = ("what", "case", "unit", "p50", "p99", "runs", "beside", "p50", "ratio", "hold", "kept")


def plain(rows: Sequence[Row]) -> str:
    """In columns; what could not be measured stands in its place, with the reason."""
    lines = [HEAD, *map(cells, rows)]
    full = [line for line in lines if len(line) == len(HEAD)]
    widths = [max(len(line[column]) for line in full) for column in range(len(HEAD))]
    for column in (0, 1):
        widths[column] = max(len(line[column]) for line in lines)
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=False)).rstrip()
        for line in lines
    )


def markdown(rows: Sequence[Row]) -> str:
    """As a table of Markdown; a reason stands in the column of what ours is compared with."""
    lines = [list(HEAD), ["---"] * len(HEAD)]
    for row in rows:
        found = list(cells(row))
        if isinstance(row, Skipped):
            found = [row.what, row.case, "", "", "", "", found[2], "", "", "", ""]
        lines.append([cell.replace("|", "\\|") for cell in found])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(row: Row) -> tuple[str, ...]:
    """What stands in its columns; only three where there are no figures."""
    if isinstance(row, Skipped):
        return (row.what, row.case, f"skipped: {row.reason}")
    return (
        row.what,
        row.case,
        row.unit,
        number(row.p50),
        number(row.p99),
        f"{row.runs:,}",
        row.beside,
        "" if row.beside_p50 is None else number(row.beside_p50),
        "" if row.ratio is None else f"{row.ratio:.3g}",
        hold_of(row),
        {None: "", True: "yes", False: "NO"}[row.kept],
    )


def hold_of(figure: Figure) -> str:
    """What is promised of it."""
    return ", ".join(f"{of} ≤ {most:g}" for of, most in figure.holds.items())


def number(value: float) -> str:
    """Three digits that count."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
