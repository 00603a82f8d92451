"""A line that already stands right below."""

import re

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence

# Lines that say too little to be the same by more than chance.
_TELLING = re.compile(r"\w+\W+\w+")


def duplicate(insertion: Insertion) -> list[Evidence]:
    """The last line of the text, where the nearest line below is the same, indentation included."""
    if not insertion.text.strip():
        return []
    line_end = insertion.line_end
    text = insertion.left + insertion.text
    rest = "" if line_end else insertion.right
    last = (text.rstrip() if line_end else text + rest).rstrip().rpartition("\n")[2]
    if last != insertion.below.rstrip() or not _TELLING.search(last):
        return []
    line = insertion.row + (text.rstrip() if line_end else text).count("\n") + 1
    return [Evidence("duplicate", f"Line {line} already stands right below.", line)]
