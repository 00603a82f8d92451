"""A report as Markdown. Its pictures are files beside it."""

import re
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


def markdown(document: Document) -> str:
    """The text."""
    parts = [f"# {document.title}", _plain(document.subtitle)]
    for section in document.sections:
        parts += [f"## {section.title}", *map(_block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def picture_file(picture: Picture) -> str:
    """A picture as a file of its own: with its colours."""
    return picture.svg.replace(">", f"><style>{STYLE}</style>", 1) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return _plain(text)
        case Quote(text):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
            return f"{fence}text\n{text}\n{fence}"
        case Listing(items, empty):
            return "\n".join(f"- `{item}`" for item in items) if items else _plain(empty)
        case Figures(pairs):
            return "\n".join(f"- {_plain(name)}: **{_plain(value)}**" for name, value in pairs)
        case Table(heads, rows, marked):
            lines = [
                _cells([f"**{cell}**" if index in marked else _plain(cell) for cell in row])
                for index, row in enumerate(rows)
            ]
            ruler = "|---|" + "---:|" * (len(heads) - 1)
            return "\n".join([_cells([_plain(head) for head in heads]), ruler, *lines])
        case Picture():
            legend = ", ".join(name for name, _ in block.legend)
            caption = _plain(block.caption)
            return f"![{caption}]({block.name}.svg)\n\n{caption} ({_plain(legend)})"
        case _:
            assert_never(block)


def _cells(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    """Nothing in it is markup."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
