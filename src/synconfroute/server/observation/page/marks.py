"""Pieces of HTML that several parts of the page are made of."""

from collections.abc import Iterable, Sequence
from html import escape

from synconfroute.server.completion.intervals import Interval
from synconfroute.server.observation import words
from synconfroute.server.printable import printable


def section(title: str, note: str, *parts: str) -> str:
    """A part of the page, with one or two sentences below its title."""
    anchor = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    return (
        f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{escape(title)}</h2>\n'
        f'<p class="note">{escape(note)}</p>\n' + "\n".join(part for part in parts if part)
        + "\n</section>"
    )  # fmt: skip


def table(caption: str, heads: Sequence[str], rows: Iterable[str]) -> str:
    """A table that scrolls by itself, with the keyboard too, where the window is narrow.

    Args:
        caption: what it shows.
        heads: of the columns, as HTML.
        rows: from `row` and `group`.
    """
    cells = "".join(
        head if head.startswith("<th") else f'<th scope="col">{head}</th>' for head in heads
    )
    name = escape(caption)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{name}">'
        f"<table><caption>{name}</caption>\n"
        f"<thead><tr>{cells}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table></div>"
    )


def row(name: str, cells: Iterable[str], *, weak: bool = False) -> str:
    """A row of a table: its name, then cells as HTML; `weak`: there is little behind it."""
    inner = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
    kind = ' class="weak"' if weak else ""
    return f'<tr{kind}><th scope="row">{escape(printable(name))}</th>{inner}</tr>'


def group(name: str, columns: int) -> str:
    """A row that says what the rows below it have in common."""
    return f'<tr class="group"><th scope="rowgroup" colspan="{columns}">{escape(name)}</th></tr>'


def span(interval: Interval | None) -> str:
    """An interval of shares that is not broken at the end of a line."""
    return words.span(interval).replace("-", "–").replace(" ", "&nbsp;")


def top_of(intervals: Iterable[Interval | None]) -> float:
    """Where an axis may end that holds all of these: at a quarter, a half, or at all."""
    high = max((each[1] for each in intervals if each is not None), default=1.0)
    return next((top for top in (0.25, 0.5) if high <= top), 1.0)


def plot_head(top: float) -> str:
    """The head of a column of `dot`s whose axis ends at `top`."""
    return f'<th scope="col" class="plot">0 %<span>{top:.0%}</span></th>'.replace("0%", "0 %")


def dot(share: float | None, interval: Interval | None, top: float = 1.0) -> str:
    """A cell that draws a share in its interval; the numbers stand in other cells.

    Args:
        share: from 0 to `top`.
        interval: about it.
        top: where the axis ends.
    """
    inner = ""
    if share is not None and interval is not None:
        low, high = (each / top for each in interval)
        inner = (
            f'<b style="left:{low:.2%};width:{high - low:.2%}"></b>'
            f'<i style="left:{share / top:.2%}"></i>'
        )
    return f'<td class="plot" aria-hidden="true"><div class="track">{inner}</div></td>'


def stack(parts: Sequence[tuple[str, int]], most: int) -> str:
    """A cell that draws counts one behind the other, each with its class; `most` fills it."""
    inner, left = "", 0.0
    for kind, count in parts:
        width = count / most if most else 0.0
        if count:
            inner += f'<b class="{kind}" style="left:{left:.2%};width:{width:.2%}"></b>'
        left += width
    return f'<td class="plot" aria-hidden="true"><div class="bar">{inner}</div></td>'


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """What the colours mean: class and name of each."""
    items = "".join(f'<li><i class="{kind}"></i>{escape(name)}</li>' for kind, name in entries)
    return f'<ul class="legend">{items}</ul>'


def figure(label: str, svg: str, numbers: str) -> str:
    """A drawing with its numbers below, folded away.

    Args:
        label: what it shows, for who cannot see it.
        svg: the drawing's `<svg>`, its inside only, behind the opening tag.
        numbers: a `table`.
    """
    opening, _, inside = svg.partition(">")
    return (
        f'<figure><div class="scaled">{opening} role="img" aria-label="{escape(label)}">{inside}'
        f"</div><details><summary>The numbers</summary>{numbers}</details></figure>"
    )
