"""A report as one HTML page that needs nothing else: no network, no script."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import assert_never

from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Command,
    Document,
    Figures,
    Folded,
    Head,
    Heading,
    Listing,
    Missing,
    Picture,
    Quote,
    Section,
    Table,
    Text,
)
from synconfroute.evaluation.report.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(document: Document) -> str:
    """The page."""
    title = escape(document.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<header>\n<h1>{title}</h1>\n<p class="subtitle">{escape(document.subtitle)}</p>\n'
        f"{_contents(document.sections)}</header>\n"
        + "\n".join(map(_section, document.sections))
        + "\n</main>\n</body>\n</html>\n"
    )


def _contents(sections: Sequence[Section]) -> str:
    """Links to the sections, where there are several."""
    if len(sections) < 2:
        return ""
    links = "".join(
        f'<li><a href="#{_anchor(section.title)}">{escape(section.title)}</a></li>'
        for section in sections
    )
    return f'<nav aria-label="Contents"><ol>{links}</ol></nav>\n'


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _section(section: Section) -> str:
    blocks = "\n".join(map(_block, section.blocks))
    return (
        f'<section id="{_anchor(section.title)}">\n<h2>{escape(section.title)}</h2>\n{blocks}\n'
        "</section>"
    )


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Heading(text):
            return f"<h3>{escape(text)}</h3>"
        case Quote(text):
            return f"<pre>{escape(text)}</pre>"
        case Command(text):
            return f'<pre class="command">{escape(text)}</pre>'
        case Missing(text, command):
            return (
                f'<div class="missing"><p>{escape(text)}</p>'
                f'<pre class="command">{escape(command)}</pre></div>'
            )
        case Listing(items, empty):
            listed = "".join(f"<li>{escape(item)}</li>" for item in items)
            return f'<ul class="listing">{listed}</ul>' if items else f"<p>{escape(empty)}</p>"
        case Figures(pairs):
            shown = "".join(
                f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
                for name, value in pairs
            )
            return f'<dl class="figures">{shown}</dl>'
        case Table():
            return _table(block)
        case Picture():
            return _picture(block)
        case Folded(title, blocks):
            inner = "\n".join(map(_block, blocks))
            return f"<details>\n<summary>{escape(title)}</summary>\n{inner}\n</details>"
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    rows = "\n".join(
        ('<tr class="marked">' if index in table.marked else "<tr>")
        + "".join(_cell(cell, place in table.words) for place, cell in enumerate(row))
        + "</tr>"
        for index, row in enumerate(table.rows)
    )
    return (
        f'<figure class="table">{_caption(table.title, table.caption)}\n'
        f'<div class="wide"><table>\n<thead>{"".join(_heads(table))}</thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>\n</figure>"
    )


def _heads(table: Table) -> Iterator[str]:
    """One row of heads, and above it one of their groups where they have any."""
    heads = [Head(each) if isinstance(each, str) else each for each in table.heads]
    if any(head.group for head in heads):
        spans = [(name, len(list(each))) for name, each in groupby(heads, lambda head: head.group)]
        groups = (
            f'<th colspan="{count}"{_class("group" if name else "none")}>{escape(name)}</th>'
            for name, count in spans
        )
        yield f"<tr>{''.join(groups)}</tr>"
    named = (
        f"<th{_class('words' if place in table.words else '')}>{escape(head.text)}</th>"
        for place, head in enumerate(heads)
    )
    yield f"<tr>{''.join(named)}</tr>"


def _cell(cell: str | Cell, words: bool) -> str:
    cell = Cell(cell) if isinstance(cell, str) else cell
    kinds = " ".join(filter(None, ("words" if words else "", cell.tone)))
    note = f"<small>{escape(cell.note)}</small>" if cell.note else ""
    said = f"{escape(cell.text)}{note}"
    return f"<td{_class(kinds)}>{f'<div>{said}</div>' if words else said}</td>"


def _class(kinds: str) -> str:
    return f' class="{kinds}"' if kinds else ""


def _picture(picture: Picture) -> str:
    block = " block" if picture.filled else ""
    legend = "".join(
        f'<li><i class="{escape(kind)}{block}"></i>{escape(name)}</li>'
        for name, kind in picture.legend
    )
    listed = f'<ul class="legend">{legend}</ul>\n' if legend else ""
    room = "slim" if picture.slim else "wide drawing"
    drawn = f'<div class="{room}">{picture.svg}</div>'
    return f"<figure>\n{drawn}\n{listed}{_caption(picture.title, picture.caption)}\n</figure>"


def _caption(title: str, caption: str) -> str:
    if not title and not caption:
        return ""
    named = f"<b>{escape(title)}</b> " if title else ""
    return f"<figcaption>{named}{escape(caption)}</figcaption>"
