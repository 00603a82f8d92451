"""What the user may go on to type behind a text, so that the code above it is whole."""

import re
from collections.abc import Iterable, Iterator, Sequence

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.habits import goes_on, is_type
from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.lexer import Token
from synconfroute.validators.treesitter.skeleton import Opener

_LONG = 70
"""Where a line that goes on below may end, in columns, whatever is usual."""

_OTHERWISE = " : x"
"""What a condition of three operands may still lack."""

_HALF = 40
"""The same where the line holds an operator of which there are often many."""


def continuations(
    edit: Edit, language: Language, outside: int, block: str, *, harmless: bool = False
) -> Iterable[str]:
    """The likeliest first; each closes all that is open but what the region leaves out.

    Args:
        edit: the text in its buffer.
        language: its language.
        outside: brackets open around the region.
        block: what goes behind a closing brace.
        harmless: the text is a placeholder, whose line may end as it likes.
    """
    cells = list(_inwards(edit.opened_right, outside))
    last = edit.placed[-1].token if edit.placed else None
    inside = cells[0] if cells and cells[0].text in "([" else None
    breaks = harmless or may_break(edit, language)
    return dict.fromkeys(
        f"\n{edit.unquoted}{lead}{_closed(edit, language, cells, finish, block)}"
        for lead in _leads(edit, language, last, inside, breaks)
        for finish in language.finish
    )


def _inwards(cell: Opener | None, outside: int) -> Iterator[Opener]:
    while cell is not None and cell.depth > outside:
        yield cell
        cell = cell.outer


def _leads(
    edit: Edit, language: Language, last: Token | None, inside: Opener | None, breaks: bool
) -> Sequence[str]:
    if edit.unquoted:
        return language.finish if inside is None else ("",)
    if last is not None and last.kind == "close" and last.text == "}":
        return language.after_block if inside is None else ("",)
    if last is None or last.text in {"{", ";"}:
        return ("",)
    if last.kind == "open" or (last.kind == "sign" and last.text not in language.postfix):
        if inside is not None:
            return language.fillers
        return ("", *(filler + language.finish[0] for filler in language.fillers))
    if inside is not None:
        return ("", _OTHERWISE) if inside.line < edit.row or breaks else ()
    follow = language.follow if edit.frame.habits.braces else language.keeps
    return (*language.finish, _OTHERWISE + language.finish[0], *follow) if breaks else follow


def may_break(edit: Edit, language: Language) -> bool:
    """May the line end with the operand that it ends with, and its statement go on below?"""
    if edit.right.strip() or language.newline_ends:
        return True
    if edit.below and goes_on(edit.below[0], language):
        return True
    tokens = edit.lines[-1].tokens
    if not tokens:
        return True
    usual = edit.frame.habits
    long = _HALF if any(token.text in language.strung for token in tokens) else _LONG
    if tokens[-1].end >= min(usual.shortest, long):
        return True
    if tokens[0].text in language.chains or re.fullmatch(language.macros, tokens[-1].text):
        return True
    if tokens[-1].text == ")" and (usual.chains or _fluent(tokens, language)):
        return True
    return usual.types and is_type(edit.lines[-1])


def _fluent(tokens: Sequence[Token], language: Language) -> bool:
    """Is the line's last call one that others are chained to?"""
    depth = 0
    for token in reversed(tokens):
        depth += (token.text == ")") - (token.text == "(")
        if depth == 0 and token.kind == "word":
            return re.fullmatch(language.fluent, token.text) is not None
    return False


def _closed(
    edit: Edit, language: Language, cells: Sequence[Opener], finish: str, block: str
) -> str:
    found = []
    for number, cell in enumerate(cells):
        outer = cells[number + 1] if number + 1 < len(cells) else None
        enclosed = outer is not None and outer.text in "(["
        found.append(language.brackets[cell.text])
        if cell.text in "([":
            found.append("" if enclosed else finish)
            finish = language.finish[0]
        elif not enclosed:
            found.append(_tail(edit, language, cell) or block)
    return "".join(found)


def _tail(edit: Edit, language: Language, cell: Opener) -> str:
    """What must follow a block."""
    line = edit.lines[cell.line - edit.row] if cell.line >= edit.row else None
    tokens = (line or edit.frame.lines[cell.line]).tokens
    word = ""
    for token in tokens:
        if token.start >= cell.column:
            break
        word = token.text
    return language.tails.get(word, "")
