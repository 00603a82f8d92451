"""A sentence to the user before or behind the code."""

import re

from synconfroute.server.completion.hole import Hole

_OPENS = (
    r"(?:here(?:['’]s| is| are)|(?:sure|certainly|of course|okay)[,!.]|below (?:is|are)"
    r"|the (?:completed|missing|following|rest of))"
)
_ABOUT = r"\b(?:code|completion|completed|snippet|solution|implementation|function|line)\b"
_BEFORE = re.compile(
    rf"(?=[^\n]*{_ABOUT}){_OPENS}[^\n;{{}}=]{{0,160}}:[ \t]*\n(?:[ \t]*\n)*(?=[ \t]*\S)",
    re.IGNORECASE,
)
_MAY_BE = re.compile(rf"{_OPENS}[^\n]{{0,160}}(?::[ \t]*\n\s*)?", re.IGNORECASE)
_BEHIND = re.compile(
    r"\n[ \t]*\n(?:This (?:code|function|line|will|is|completes)\b|Explanation:|Note(?::| that\b)"
    r"|In this (?:code|function|line)\b|Here, )[^\n]*(?:\n.*)?\Z",
    re.DOTALL,
)
_PROSE = frozenset({"markdown", "plaintext", "latex", "restructuredtext", "asciidoc", "html"})


def chatter_end(text: str) -> int | None:
    """Where a line such as "Here is the code:" ends, else 0; None while the text may become one."""
    begin = len(text) - len(text.lstrip())
    match = _BEFORE.match(text, begin)
    if match:
        return match.end()
    return None if _MAY_BE.fullmatch(text, begin) else 0


def without_chatter(hole: Hole, text: str) -> str:
    """Drop a line that announces the code, and sentences that explain it behind a blank line.

    Not in prose, and not behind code on the cursor's line, such as the quotes of a docstring.
    """
    if hole.language in _PROSE or hole.left.strip():
        return text
    text = text[chatter_end(text) or 0 :]
    behind = _BEHIND.search(text)
    return text[: behind.start()].rstrip("\n") if behind else text
