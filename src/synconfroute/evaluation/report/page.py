"""A report as one HTML page that needs nothing else: no network, no script."""

from html import escape
from typing import assert_never

from synconfroute.evaluation.report.blocks import (
    Block,
    Document,
    Figures,
    Listing,
    Picture,
    Quote,
    Table,
    Text,
)
from synconfroute.evaluation.report.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(document: Document) -> str:
    """The page."""
    title = escape(document.title)
    body = "\n".join(
        f"<section>\n<h2>{escape(section.title)}</h2>\n"
        + "\n".join(map(_block, section.blocks))
        + "\n</section>"
        for section in document.sections
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{title}</h1>\n<p class="subtitle">{escape(document.subtitle)}</p>\n'
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Quote(text):
            return f"<pre>{escape(text)}</pre>"
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
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in table.heads)
    rows = "\n".join(
        ('<tr class="marked">' if index in table.marked else "<tr>")
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for index, row in enumerate(table.rows)
    )
    return (
        f'<div class="wide"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _picture(picture: Picture) -> str:
    block = " block" if picture.filled else ""
    legend = "".join(
        f'<li><i class="{escape(kind)}{block}"></i>{escape(name)}</li>'
        for name, kind in picture.legend
    )
    return (
        f'<figure>\n{picture.svg}\n<ul class="legend">{legend}</ul>\n'
        f"<figcaption>{escape(picture.caption)}</figcaption>\n</figure>"
    )
