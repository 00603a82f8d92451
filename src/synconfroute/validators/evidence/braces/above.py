"""The words above a line that may name what the line sees, told by indentation alone."""

import re

from synconfroute.validators.evidence.braces.block import depth_of
from synconfroute.validators.evidence.braces.outline import WORD

# Lines that are looked at. A function that is longer may know more; then its parser tells.
_MOST_LINES = 300
_MOST_CHARACTERS = 30_000
_OPENERS = ("{", "(", "[", ">", "|")
# The last line of a header or of a pattern: what stands between it and its first line is seen, too.
_TAIL = re.compile(r"[)\]}]+(?!\s*(?:else|catch|finally|while)\b).*(?:=|\{$|>$)")
_HEAD = re.compile(r"(?:if|for|switch|while)\b|[^(=]*")


def words_above(text: str, depth: int) -> set[str]:
    """Words of the lines that a line below the text, so deep, may see.

    Of a line that opens something, only what stands before the first bracket or sign of equality
    is seen by lines that are not deeper.
    """
    found: set[str] = set()
    least, within = depth, False
    for line in reversed(text[-_MOST_CHARACTERS:].split("\n")[-_MOST_LINES:]):
        bare = line.strip()
        if not bare:
            continue
        own = depth_of(line)
        if own > least and not within:
            continue
        opens = own == least and not within and bare.endswith(_OPENERS)
        head = _HEAD.match(bare) if opens else None
        found.update(WORD.findall(bare if head is None else head[0]))
        if own <= least:
            within = bool(_TAIL.match(bare))
            least = own
    return found
