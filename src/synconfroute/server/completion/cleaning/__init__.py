"""From what a model sent to what is inserted: an ordered chain of pure functions."""

from synconfroute.server.completion.cleaning.fences import without_fences
from synconfroute.server.completion.cleaning.first_line import first_line
from synconfroute.server.completion.cleaning.line_start import without_line_start
from synconfroute.server.completion.cleaning.special_tokens import without_special_tokens
from synconfroute.server.completion.cleaning.suffix_overlap import without_suffix_overlap
from synconfroute.server.completion.hole import Hole

__all__ = ["clean"]


def clean(hole: Hole, text: str, *, single_line: bool) -> str:
    """Return the text to insert at the hole, or "" where nothing is worth inserting.

    No step changes an indentation level: a wrong level is a signal for the validator.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = without_special_tokens(hole, text)
    text = without_fences(hole, text)
    text = without_line_start(hole, text)
    if single_line:
        text = first_line(hole, text)
    text = without_suffix_overlap(hole, text)
    if not text.strip():
        return ""
    return text if hole.right.strip() else text.rstrip()
