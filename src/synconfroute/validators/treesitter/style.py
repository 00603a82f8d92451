"""Brackets as nobody writes them in this buffer."""

from synconfroute.validators.grammar import Fault
from synconfroute.validators.treesitter.edit import LEFT, OWN, Edit, Placed
from synconfroute.validators.treesitter.skeleton import Opener, after
from synconfroute.validators.treesitter.tokens import names_type

_ENDS = frozenset({";", "}", "{"})
_HEADS = frozenset({")", "else", "do", "try", "finally"})
"""What stands before the brace of a block of statements. `new T() {{` is none."""

_LAST = frozenset({"const", "override", "noexcept", "final"})
"""What else the head of a function may end with."""


def unusual(edit: Edit) -> Fault | None:
    """Find braces of the text that leave the code unfinished in a way that nobody means."""
    top: Opener | None = edit.opened
    before: Placed | None = None
    for each in edit.placed:
        if each.token.text in {"{", "}"} and each.side == OWN:
            message = _message(edit, each, before, top)
            if message:
                return Fault(edit.row + each.row + 1, message)
        if each.token.kind in {"open", "close"}:
            top = after(top, each.token, edit.row + each.row, each.indent, edit.closers)
        before = each
    return None


def _message(edit: Edit, each: Placed, before: Placed | None, top: Opener | None) -> str:
    if before is None or before.row != each.row:
        return ""
    if each.token.text == "{":
        return "a block in a block" if _doubled(edit, each, before) else ""
    if top is None or top.text != "{":
        return ""
    if top.line == edit.row + each.row:
        return "a block closed that goes on below" if _goes_on(edit, each, before) else ""
    opened = edit.frame.lines[top.line].brackets if top.line < edit.row else ()
    if len(opened) > 1 or edit.frame.habits.crammed or before.token.text not in _ENDS:
        return ""
    if before.side == LEFT and before.token.text == "}":
        return ""
    return "a } behind a statement"


def _doubled(edit: Edit, each: Placed, before: Placed) -> bool:
    """Does a brace open a block that has just been opened behind a closing parenthesis?"""
    if before.token.text != "{" or before.token.end != each.token.start:
        return False
    if any(other.token.text == "new" for other in edit.placed if other.row == each.row):
        return False
    if before.token.lead and before.row == 0 and edit.above is not None:
        return edit.above.text in _HEADS | _LAST
    return before.token.behind in _HEADS or _heads_type(edit, each.row)


def _heads_type(edit: Edit, row: int) -> bool:
    """Is a line the head of a type?"""
    tokens = edit.lines[row].tokens
    return names_type(tokens, edit.language.types) and all(token.text != "=" for token in tokens)


def _goes_on(edit: Edit, each: Placed, before: Placed) -> bool:
    """Is an empty block the one that a brace below, indented like its line, wants to close?"""
    if before.token.end != each.token.start or each is not edit.placed[-1]:
        return False
    if edit.frame.habits.empty or not _runs(edit, each.row):
        return False
    if each.token.behind != "{" or before.token.behind not in _HEADS:
        return False
    if edit.need is None or not edit.lacks_opener:
        return False
    return edit.need.text == "}" and edit.need.indent == each.indent


def _runs(edit: Edit, row: int) -> bool:
    """Does a line begin a block of statements that are rarely none?

    The head of a constructor does not: it has no type before its name.
    """
    tokens = edit.lines[row].tokens
    if tokens[0].text in edit.language.controls:
        return True
    names = [at for at, token in enumerate(tokens) if token.text == "("]
    if len(names) != 1 or names[0] < 2:
        return False
    kind = tokens[names[0] - 2]
    return kind.text not in edit.language.modifiers and not any(t.text == ":" for t in tokens)
