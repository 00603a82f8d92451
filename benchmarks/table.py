"""All figures as one table: of plain text for a terminal, of Markdown for a document."""

from collections.abc import Sequence

from benchmarks.figure import Figure, Row, Skipped

HEAD = ("what", "case", "unit", "p50", "p99", "runs", "beside", "p50", "ratio", "hold", "kept")


def plain(rows: Sequence[Row]) -> str:
    """In columns; what could not be measured stands in its place, with the reason."""
    return columns([HEAD, *map(cells, rows)])


def markdown(rows: Sequence[Row]) -> str:
    """As a table of Markdown; a reason stands in the column of what ours is compared with."""
    lines: list[Sequence[str]] = [HEAD]
    for row in rows:
        found = cells(row)
        lines.append((*found[:2], *[""] * 4, found[2], *[""] * 4) if len(found) == 3 else found)
    return markdown_of(lines)


def cells(row: Row) -> tuple[str, ...]:
    """What stands in its columns; only three where there are no figures."""
    if isinstance(row, Skipped):
        return (row.what, row.case, f"{'FAILED' if row.failed else 'skipped'}: {row.reason}")
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


def columns(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells, each column as wide as its widest cell; the first line is the head.

    A line with fewer cells ends with one that may be of any length.
    """
    widths = [0] * len(lines[0])
    for line in lines:
        last = len(line) if len(line) == len(widths) else len(line) - 1
        for place, cell in enumerate(line[:last]):
            widths[place] = max(widths[place], len(cell))
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=False)).rstrip()
        for line in lines
    )


def markdown_of(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells as a table of Markdown; the first line is the head."""
    whole = [lines[0], ["---"] * len(lines[0]), *lines[1:]]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in whole
    )
