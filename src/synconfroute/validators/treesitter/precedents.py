"""Lines that look like others of the buffer: what stands there already is no damage."""

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.tokens import Line, Token

_ENOUGH = 2
"""So many lines make a habit."""


def has_precedent(edit: Edit) -> bool:
    """Is the text's line, which begins with a name, like several others of its buffer?

    They begin with the same name, and differ in other names, numbers and quoted text only.
    """
    line = edit.lines[0]
    if len(edit.lines) > 1 or len(line.tokens) < _ENOUGH or line.tokens[0].kind != "word":
        return False
    shape = _shape(line)
    found = 0
    for each in edit.frame.lines:
        if (
            len(each.tokens) == len(line.tokens)
            and each.tokens[0].text == line.tokens[0].text
            and _shape(each) == shape
        ):
            found += 1
            if found >= _ENOUGH:
                return True
    return False


def _shape(line: Line) -> list[str]:
    return [_sign(token) for token in line.tokens]


def _sign(token: Token) -> str:
    return token.kind if token.kind in {"word", "text"} else token.text
