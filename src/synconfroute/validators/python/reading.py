"""How a whole text is cut into logical lines, even if it is broken."""

import re

from synconfroute.validators.python.lexing import scan, tokens
from synconfroute.validators.python.lines import Lines

_CODE_LINE = re.compile(r"^[ \t]*(?:async def|class|def)[ \t]\w+.*:[ \t]*$", re.MULTILINE)


def lines_of(text: str, *, careful: bool, stray: int | None = None) -> Lines:
    """The logical lines of a whole text.

    Args:
        text: the text.
        careful: it may be broken: make out of it what can be made.
        stray: where quotes stand that are not closed yet.
    """
    lines = begun(text)
    state = scan(text, 0, len(text), lines=lines, careful=careful)
    if not state.quote or not careful:
        return lines
    ignored = frozenset([_stray(text, state.quote_at) if stray is None else stray])
    lines = begun(text)
    scan(text, 0, len(text), lines=lines, careful=True, ignored=ignored)
    return lines


def begun(text: str) -> Lines:
    """The lines of a text as far as its first one, for `scan` to go on with."""
    lines = Lines()
    at = len(text) - len(text.lstrip(" \t\f"))
    if at < len(text):
        lines.add(text, 0, at)
    return lines


def _stray(text: str, last: int) -> int:
    """The quotes that a text has one too many of: the first that have code between them."""
    for token in tokens(text, 0, len(text)):
        if text.startswith(('"""', "'''"), token.start) and _CODE_LINE.search(
            text, token.start, token.end
        ):
            return token.start
    return last
