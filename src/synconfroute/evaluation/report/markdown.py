"""A report as Markdown. Its pictures are files beside it."""

import re
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
    Table,
    Text,
)
from synconfroute.evaluation.report.style import STYLE


def markdown(document: Document) -> str:
    """The text."""
    parts = [f"# {document.title}", _plain(document.subtitle)]
    for section in document.sections:
        parts += [f"## {_plain(section.title)}", *map(_block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def picture_file(picture: Picture) -> str:
    """A picture as a file of its own: with its colours."""
    return picture.svg.replace(">", f"><style>{STYLE}</style>", 1) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return _plain(text)
        case Heading(text):
            return f"### {_plain(text)}"
        case Quote(text):
            return _fenced(text, "text")
        case Command(text):
            return _fenced(text, "sh")
        case Missing(text, command):
            return f"{_plain(text)}\n\n{_fenced(command, 'sh')}"
        case Listing(items, empty):
            return "\n".join(f"- `{item}`" for item in items) if items else _plain(empty)
        case Figures(pairs):
            return "\n".join(f"- {_plain(name)}: **{_plain(value)}**" for name, value in pairs)
        case Table():
            return _table(block)
        case Picture():
            legend = ", ".join(name for name, _ in block.legend)
            shown = _plain(f"{block.title} {block.caption}".strip())
            return f"![{shown}]({block.name}.svg)\n\n{shown}" + (
                f" ({_plain(legend)})" if legend else ""
            )
        case Folded(title, blocks):
            return "\n\n".join([f"#### {_plain(title)}", *map(_block, blocks)])
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    heads = [head.whole if isinstance(head, Head) else head for head in table.heads]
    lines = [
        _cells([_bold(_cell(cell)) if index in table.marked else _cell(cell) for cell in row])
        for index, row in enumerate(table.rows)
    ]
    ruler = "|" + "".join(
        "---|" if index in table.words else "---:|" for index in range(len(heads))
    )
    shown = "\n".join([_cells([_plain(head) for head in heads]), ruler, *lines])
    caption = _plain(f"{table.title} {table.caption}".strip())
    return f"{caption}\n\n{shown}" if caption else shown


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return _plain(cell)
    note = cell.note.replace("\n", ", ")
    return _plain(f"{cell.text} ({note})" if note else cell.text)


def _bold(text: str) -> str:
    return f"**{text}**" if text else ""


def _cells(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _fenced(text: str, kind: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    return f"{fence}{kind}\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Nothing in it is markup."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
