"""What the user may go on to type behind a text, so that the code above it is whole."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from synconfroute.validators.treesitter.breaks import may_break
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.skeleton import Opener

_OTHERWISE = " : x"
"""What a condition of three operands may still lack."""

_CLAUSES = ("x;", ";x", "x")
"""What the head of a loop may still lack."""


def continuations(edit: Edit, outside: int, block: str, *, harmless: bool = False) -> Iterable[str]:
    """The likeliest first; each closes all that is open but what the region leaves out.

    Args:
        edit: the text in its buffer.
        outside: brackets open around the region.
        block: what goes behind a closing brace.
        harmless: the text is a placeholder, whose line may end as it likes.
    """
    cells = list(_inwards(edit.opened_right, outside))
    inside = cells[0] if cells and cells[0].text in "([" else None
    return dict.fromkeys(
        f"\n{edit.unquoted}{lead}{_closed(edit, cells, finish, block)}"
        for lead in _leads(edit, inside, harmless=harmless)
        for finish in edit.language.finish
    )


def _inwards(cell: Opener | None, outside: int) -> Iterator[Opener]:
    while cell is not None and cell.depth > outside:
        yield cell
        cell = cell.outer


def _leads(edit: Edit, inside: Opener | None, *, harmless: bool) -> Sequence[str]:
    """What may stand before the closing brackets.

    Args:
        edit: the text in its buffer.
        inside: the parenthesis or bracket that is open at the end.
        harmless: the line may end as it likes.
    """
    language = edit.language
    last = edit.placed[-1].token if edit.placed else None
    if edit.unquoted:
        return ("",) if inside else language.finish
    if last is None or last.text == ";":
        return _CLAUSES if last and inside and inside.clauses else ("",)
    if last.kind in {"open", "close"} and last.text not in "([)]":
        return language.after_block if last.kind == "close" and not inside else ("",)
    if last.text in language.openers:
        return language.follow
    if last.kind == "open" or (last.kind == "sign" and last.text not in language.postfix):
        ended = ("", *(filler + language.finish[0] for filler in language.fillers))
        return language.fillers if inside else ended
    breaks = harmless or may_break(edit)
    if inside is not None:
        return ("", _OTHERWISE) if breaks or inside.line < edit.row else ()
    follow = language.follow if edit.frame.habits.braces else language.keeps
    return (*language.finish, _OTHERWISE + language.finish[0], *follow) if breaks else follow


def _closed(edit: Edit, cells: Sequence[Opener], finish: str, block: str) -> str:
    """The closing brackets, from the inside out, and what ends statements between them."""
    language = edit.language
    found = []
    for cell, outer in zip_longest(cells, cells[1:]):
        closer = language.brackets[cell.text]
        found.append(f"\n{closer}" if closer.isalpha() else closer)
        if outer is not None and (outer.text in "([" or (cell.value and outer.value)):
            continue
        if cell.text in "([":
            found.append(finish)
            finish = language.finish[0]
        elif cell.value:
            found.append(language.finish[0])
        else:
            found.append(_tail(edit, cell) or block)
    return "".join(found)


def _tail(edit: Edit, cell: Opener) -> str:
    """What must follow a block."""
    line = edit.lines[cell.line - edit.row] if cell.line >= edit.row else None
    word = ""
    for token in (line or edit.frame.lines[cell.line]).tokens:
        if token.start >= cell.column:
            break
        word = token.text
    return edit.language.tails.get(word, "")
