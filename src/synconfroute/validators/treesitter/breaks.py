"""May a line end where a text ends, and its statement go on below?"""

import re

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.habits import goes_on, is_type

_LONG = 70
"""Where a line that goes on below may end, in columns, whatever is usual."""

_IN_CASTS = frozenset({"<", ">", ",", ".", "*", "&", "::", "[", "]"})

_CONSTANTS = frozenset({"true", "false", "null", "nullptr", "NULL", "this"})

_HALF = 40
"""The same where the line holds an operator of which there are often many."""


def may_break(edit: Edit) -> bool:
    """May the last line end with the operand that it ends with?"""
    tokens = edit.lines[-1].tokens
    if not tokens or edit.right.strip() or edit.language.newline_ends:
        return True
    if edit.below and goes_on(edit.below[0], edit.language):
        return True
    if re.fullmatch(edit.language.final, tokens[-1].text):
        return False
    return _long(edit) or declares(edit) or _casts(edit) or _returns_name(edit)


def _long(edit: Edit) -> bool:
    """Is the line as long as those that are broken?"""
    tokens = edit.lines[-1].tokens
    signs = {token.text for token in tokens}
    for sign, shortest in edit.frame.habits.broken.items():
        if tokens[-1].end >= (shortest if sign in signs else max(shortest, _HALF)):
            return True
    return tokens[-1].end >= (_LONG if signs.isdisjoint(edit.language.strung) else _HALF)


def _returns_name(edit: Edit) -> bool:
    """Does the line return a name, which may be the first operand of several?"""
    tokens = edit.lines[-1].tokens
    if [token.kind for token in tokens] != ["word", "word"] or tokens[0].text != "return":
        return False
    return not tokens[1].text[0].isdigit() and tokens[1].text not in _CONSTANTS


def chained(edit: Edit) -> bool:
    """May a call follow that is chained to the last line?"""
    language, tokens = edit.language, edit.lines[-1].tokens
    if not tokens:
        return False
    if tokens[0].text in language.chains:
        return True
    if tokens[-1].kind == "word" and edit.frame.habits.receivers:
        return True
    return tokens[-1].text == ")" and (edit.frame.habits.chains or _fluent(edit))


def _fluent(edit: Edit) -> bool:
    """Is the line's last call one that others are chained to?"""
    depth = 0
    for token in reversed(edit.lines[-1].tokens):
        depth += (token.text == ")") - (token.text == "(")
        if depth == 0 and token.kind == "word":
            return re.fullmatch(edit.language.fluent, token.text) is not None
    return False


def declares(edit: Edit) -> bool:
    """Is the line a type or a macro, behind which a declaration goes on?"""
    line = edit.lines[-1]
    if not line.tokens:
        return False
    if re.fullmatch(edit.language.macros, line.tokens[-1].text):
        return True
    return edit.frame.habits.types and is_type(line)


def _casts(edit: Edit) -> bool:
    """Does the line end with a type in parentheses, as a cast does?"""
    tokens = edit.lines[-1].tokens
    opener = next((at for at in range(len(tokens) - 1, 0, -1) if tokens[at].text == "("), 0)
    if tokens[-1].text != ")" or not opener:
        return False
    ahead = tokens[opener - 1]
    return (ahead.kind == "sign" or ahead.text == "return") and all(
        token.kind == "word" or token.text in _IN_CASTS for token in tokens[opener + 1 : -1]
    )
