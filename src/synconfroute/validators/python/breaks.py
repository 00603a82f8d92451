"""Where people break a line inside a bracket, and where they practically never do.

Measured on 195,000 lines of the standard library and of packages: a line that leaves a bracket
open which it opened itself ends in an opening bracket, a comma, an operator or a string in all but
0.04 % of lines, and in half of these the bracket groups or lists one thing, which a comprehension
or an operator goes on with on the next line. None ends in `=`, `.`, `not` or `for`.
"""

import re

from synconfroute.validators.python.lexing import State, marks

_OPERATOR = re.compile(r"(?:[+\-*/%&|^<>@,:(\[{]|[=!<>:]=|\b(?:and|or|in|is|if|else))$", re.ASCII)
_UNFINISHED = re.compile(r"(?:(?<![=!<>:])=|(?<!\.)\.|\b(?:not|for|lambda|await))$")
_NO_CALL = re.compile(
    r"(?:^|[^\w)\]}\"']|\b(?:return|in|and|or|not|if|elif|else|for|assert|yield|while|is|del|raise"
    r"|lambda|await|with|case|match))$"
)
_ENDS_WORDS = (" ", "\t", "\\n", "\\t")


def breaks_oddly(text: str, state: State, line: int) -> bool:
    """Would hardly anybody break the line here, with what is open at its end?

    Args:
        text: ends where the line ends.
        state: what is open there.
        line: where the line begins.
    """
    if state.quote:
        return _odd_string(text, state, line)
    code = text[: state.comment if state.comment >= 0 else len(text)].rstrip()
    if not state.brackets or code.endswith("\\"):
        return False
    if _UNFINISHED.search(code[-8:]):
        return True
    bracket = state.brackets[-1]
    if code.endswith(":") and text[bracket] == "(" and "lambda" not in code[bracket:]:
        return True
    if bracket < line or _OPERATOR.search(code[-4:]) or _lists_one(text, bracket):
        return False
    first, last = state.string
    return last != len(code) or not code[first : last - 1].endswith(_ENDS_WORDS)


def _odd_string(text: str, state: State, line: int) -> bool:
    """Does the line end in two quotes of the three that would end the string it is in?"""
    body = text[max(line, state.quote_at + len(state.quote)) :].strip()
    if len(state.quote) == 1 or not body.endswith(state.quote[0] * 2):
        return False
    return state.quote_at >= line or body[-3:-2] not in tuple(" =(,[:")


def _lists_one(text: str, bracket: int) -> bool:
    """Is this no call and no subscript, and is there no comma in it?"""
    before = text[text.rfind("\n", 0, bracket) + 1 : bracket].rstrip()
    if text[bracket] != "{" and _NO_CALL.search(before[-8:]) is None:
        return False
    depth = 0
    for kind, _ in marks(text, bracket + 1, len(text)):
        if kind == "," and depth == 0:
            return False
        depth += (kind in "([{") - (kind in ")]}")
    return True
