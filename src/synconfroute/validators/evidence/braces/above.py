"""The words above a line that may name what the line sees, told by indentation alone."""

from synconfroute.validators.evidence.braces.block import depth_of
from synconfroute.validators.evidence.braces.outline import WORD

# Lines that are looked at. A function that is longer may know more; then its parser tells.
_MOST_LINES = 300
_OPENERS = ("{", "(", "[", ">", "|")


def words_above(text: str, depth: int) -> set[str]:
    """Words of the lines that a line below the text, so deep, may see.

    What a line that opens something binds counts for deeper lines only.
    """
    found: set[str] = set()
    least = depth
    for line in reversed(text.split("\n")[-_MOST_LINES:]):
        bare = line.strip()
        if not bare:
            continue
        own = depth_of(line)
        if own < least or (own == least and not bare.endswith(_OPENERS)):
            found.update(WORD.findall(bare))
            least = min(own, least)
    return found
