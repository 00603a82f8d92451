"""A sentence to the user before or behind the code."""

import re

from synconfroute.server.completion.hole import Hole

_OPENS = (
    r"(?:here(?:['’]s| is| are)|(?:sure|certainly|of course|okay)[,!.]|below (?:is|are)"
    r"|the (?:completed|missing|following|rest of))"
)
_ABOUT = r"\b(?:code|completion|completed|snippet|solution|implementation|function|line)\b"
_BEFORE = re.compile(
    rf"\s*(?=[^\n]*{_ABOUT}){_OPENS}[^\n;{{}}=]{{0,160}}:[ \t]*\n\s*?(?=[ \t]*\S)", re.IGNORECASE
)
_MAY_BE = re.compile(rf"\s*{_OPENS}[^\n]{{0,160}}(?::[ \t]*\n\s*)?", re.IGNORECASE)
_BEHIND = re.compile(
    r"\n\s*\n(?:This (?:code|function|line|will|is|completes)|Explanation\b|Note(?: that)?\b"
    r"|In this\b|Here,? )[^\n]*(?:\n.*)?\Z",
    re.DOTALL,
)
_PROSE = frozenset({"markdown", "plaintext", "latex", "restructuredtext", "asciidoc", "html"})


def chatter_end(text: str) -> int | None:
    """Where a line such as "Here is the code:" ends, else 0; None while the text may become one."""
    match = _BEFORE.match(text)
    if match:
        return match.end()
    return None if _MAY_BE.fullmatch(text) else 0


def without_chatter(hole: Hole, text: str) -> str:
    """Drop a line that announces the code, and sentences that explain it behind a blank line.

    Not in prose, and not behind code on the cursor's line, such as the quotes of a docstring.
    """
    if hole.language in _PROSE or hole.left.strip():
        return text
    text = text[chatter_end(text) or 0 :]
    behind = _BEHIND.search(text)
    return text[: behind.start()] if behind else text
