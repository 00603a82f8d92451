"""What the user may go on to type behind a text, so that the code above it is whole."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from synconfroute.validators.treesitter.breaks import chained, declares, may_break
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.skeleton import Opener
from synconfroute.validators.treesitter.tokens import Token

_OTHERWISE = " : x"
"""What a condition of three operands may still lack."""

_CALL = ".x()"
"""What may be chained to a call."""

_NAMED = (" f() {}", " f();", " x;")
"""What may stand behind a type."""

_HEAD_LINES = 8
_OPENS, _SHUTS = frozenset("(<["), frozenset(")>]")

_CLAUSES = ("x;", ";x", "x")
"""What the head of a loop may still lack."""


def continuations(edit: Edit, outside: int, *, harmless: bool = False) -> Iterator[str]:
    """The likeliest first; each closes all that is open but what the region leaves out.

    Args:
        edit: the text in its buffer.
        outside: brackets open around the region.
        harmless: the text is a placeholder, whose line may end as it likes.
    """
    cells = list(inwards(edit.opened_right, outside))
    inside = cells[0] if cells and cells[0].text in "([" else None
    said = set()
    for lead in _leads(edit, inside, harmless=harmless):
        for finish in edit.language.finish:
            end = f"\n{edit.unquoted}{lead}{closed(edit, cells, finish)}"
            if end not in said:
                said.add(end)
                yield end


def inwards(cell: Opener | None, outside: int) -> Iterator[Opener]:
    """The brackets open at a place, from the inside out, without so many around a region."""
    while cell is not None and cell.depth > outside:
        yield cell
        cell = cell.outer


def _leads(edit: Edit, inside: Opener | None, *, harmless: bool) -> Iterable[str]:
    """What may stand before the closing brackets.

    Args:
        edit: the text in its buffer.
        inside: the parenthesis or bracket that is open at the end.
        harmless: the line may end as it likes.
    """
    language = edit.language
    last = edit.placed[-1].token if edit.placed else None
    if edit.unquoted and not edit.in_comment:
        return ("",) if inside else language.finish
    if last is None or last.text == ";":
        return _CLAUSES if last and inside and inside.clauses else ("",)
    if last.kind in {"open", "close"} and last.text not in "([)]" and not edit.ends_value:
        if last.kind == "open" or inside or edit.closed is None:
            return ("",)
        return dict.fromkeys((behind_block(edit, edit.closed), *language.after_block))
    if last.text in language.openers:
        return language.follow
    if last.kind == "open" or (last.kind == "sign" and last.text not in language.postfix):
        ended = ("", *(filler + language.finish[0] for filler in language.fillers), "x")
        return language.fillers if inside else ended
    breaks = harmless or may_break(edit)
    if inside is not None:
        own = breaks or inside.line < edit.row or chained(edit)
        return ("", _OTHERWISE, *language.finish[1:]) if own else ()
    follow = language.follow if edit.frame.habits.braces else language.keeps
    if not breaks:
        return (f"{_CALL}{language.finish[0]}", *follow) if chained(edit) else follow
    named = _NAMED if declares(edit) else ()
    return (*language.finish, _OTHERWISE + language.finish[0], *follow, *named)


def closed(edit: Edit, cells: Sequence[Opener], finish: str) -> str:
    """The closing brackets, from the inside out, and what ends statements between them."""
    language = edit.language
    found = []
    for cell, outer in zip_longest(cells, cells[1:]):
        found.append(language.brackets[cell.text])
        if outer is not None and (outer.text in "([" or (cell.value and outer.value)):
            continue
        if cell.text in "([":
            found.append(finish)
            finish = language.finish[0]
        elif cell.value:
            found.append(language.finish[0])
        else:
            found.append(behind_block(edit, cell))
    return "".join(found)


def behind_block(edit: Edit, cell: Opener) -> str:
    """What must follow a block."""
    place = (cell.line, cell.column)
    if place not in edit.behind:
        edit.behind[place] = _behind_block(edit, cell)
    return edit.behind[place]


def _behind_block(edit: Edit, cell: Opener) -> str:
    language = edit.language
    head = _head(edit, cell)
    for word in head[-1:] + head[:1]:
        if word in language.tails:
            return language.tails[word]
    return language.finish[0] if language.ended.intersection(head) else ""


def _head(edit: Edit, cell: Opener) -> list[str]:
    """The words and signs before a block's brace, without what stands in parentheses."""
    head: list[str] = []
    for row in range(cell.line, max(-1, cell.line - _HEAD_LINES), -1):
        line = edit.lines[row - edit.row] if row >= edit.row else edit.frame.lines[row]
        tokens = [t for t in line.tokens if row < cell.line or t.start < cell.column]
        if head and tokens and _ends_above(tokens, edit.language.types):
            break
        head = [token.text for token in tokens] + head
    depth, found = 0, []
    for text in head:
        depth -= text in _SHUTS
        if depth <= 0:
            found.append(text)
        depth += text in _OPENS
    return found


def _ends_above(tokens: Sequence[Token], types: frozenset[str]) -> bool:
    """Does a line end with what no head has in it? Bases of a type stand behind a colon."""
    if tokens[-1].text == ":":
        return all(token.text not in types for token in tokens)
    return tokens[-1].text in {";", "{", "}"}
