"""Characters that show a reader something else than what a compiler or a terminal sees."""

import re

from synconfroute.server.completion.hole import Hole

_NEVER = (
    "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"  # controls: terminals act on them
    "\u202a-\u202e\u2066-\u2069"  # reordering (CVE-2021-42574, "Trojan Source")
    "\u2028\u2029"  # line ends for JavaScript, none for an editor
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e01ef"  # halves; annotations, tags: not drawn at all
)
_UNLESS_THE_USERS = "\x0c\xad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff"
"""Not drawn either, yet some people write them: page breaks, marks of right-to-left text."""

_HIDDEN = re.compile(f"([{_NEVER}])|[{_UNLESS_THE_USERS}]")


def without_hidden_characters(hole: Hole, text: str) -> str:
    """Cut the text before the first line with such a character: the rest cannot be trusted.

    Where the user's own code has it already, one that reorders nothing and steers nothing stays.
    """
    for match in _HIDDEN.finditer(text):
        character = match.group()
        if match[1] or not (character in hole.prefix or character in hole.suffix):
            return text[: text.rfind("\n", 0, match.start()) + 1]
    return text
