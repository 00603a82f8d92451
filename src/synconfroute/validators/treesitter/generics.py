"""What may follow a text that leaves lists of types open, such as `Map<string,`."""

from collections.abc import Iterator, Mapping, Sequence

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.skeleton import Opener, after
from synconfroute.validators.treesitter.tokens import Token

_FAR = 30
"""How many lines above a text such a list is looked for."""

_LEADS = ("", "x", "x: x")
_ENDS = frozenset({";", "&&", "||"})


def generics(
    edit: Edit, cells: Sequence[Opener], ends: Mapping[int, str], tails: Sequence[str]
) -> Iterator[str]:
    """Each ends the lists and closes the brackets around them; nothing if no list is open.

    Args:
        edit: the text in its buffer.
        cells: the open brackets, from the inside out.
        ends: what closes quotes and markup, by how many brackets must be closed before.
        tails: what may stand behind the outermost list.
    """
    if 0 in ends or not tails:
        return
    lists = _lists(edit)
    wanted = [lists.get(_place(cell), 0) for cell in (*cells, None)]
    if not any(wanted):
        return
    last = max(at for at, count in enumerate(wanted) if count)
    for lead in _LEADS:
        for tail in tails:
            found = [lead]
            for at, count in enumerate(wanted):
                found += [">" * count, tail if at == last else ""]
                if at < len(cells):
                    found += [edit.language.brackets[cells[at].text], ends.get(at + 1, "")]
            yield "".join(found)


def _lists(edit: Edit) -> dict[tuple[int, int], int]:
    """How many lists are open right within each bracket that is, by its place."""
    first = max(0, edit.row - _FAR)
    top = edit.frame.opened[first]
    found: dict[tuple[int, int], int] = {}
    lines = [*edit.frame.lines[first : edit.row], *edit.lines]
    for number, line in enumerate(lines, start=first):
        for token in line.tokens:
            if token.kind in {"open", "close"}:
                top = after(top, token, number, line.indent, edit.closers)
            place = _place(top)
            found[place] = _counted(found.get(place, 0), token)
            if token.kind == "open":
                found[place] = 0
    return found


def _counted(count: int, token: Token) -> int:
    if token.text in _ENDS:
        return 0
    if token.text in {"<", ">"}:
        return max(0, count + (1 if token.text == "<" else -1))
    return count


def _place(cell: Opener | None) -> tuple[int, int]:
    return (cell.line, cell.column) if cell is not None else (-1, -1)
