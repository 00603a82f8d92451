"""From what a model sent to what is inserted: an ordered chain of pure functions."""

from synconfroute.server.completion.cleaning.chatter import without_chatter
from synconfroute.server.completion.cleaning.echoed_prefix import without_echoed_prefix
from synconfroute.server.completion.cleaning.fences import without_fences
from synconfroute.server.completion.cleaning.first_line import first_line
from synconfroute.server.completion.cleaning.following_lines import without_following_lines
from synconfroute.server.completion.cleaning.hidden_characters import without_hidden_characters
from synconfroute.server.completion.cleaning.indentation_characters import (
    with_indentation_characters,
)
from synconfroute.server.completion.cleaning.line_ends import with_line_feeds
from synconfroute.server.completion.cleaning.line_start import without_line_start
from synconfroute.server.completion.cleaning.repetition import without_repetition
from synconfroute.server.completion.cleaning.special_tokens import without_special_tokens
from synconfroute.server.completion.cleaning.structural_cut import structural_cut
from synconfroute.server.completion.cleaning.suffix_overlap import without_suffix_overlap
from synconfroute.server.completion.cleaning.trailing_junk import without_trailing_junk
from synconfroute.server.completion.hole import Hole

__all__ = ["clean", "opening"]


def clean(hole: Hole, text: str, *, single_line: bool) -> str:
    """Return the text to insert at the hole, or "" where nothing is worth inserting.

    No step changes an indentation level: a wrong level is a signal for the validator.
    """
    text = opening(hole, text)
    text = first_line(hole, text) if single_line else structural_cut(hole, text)
    text = without_trailing_junk(hole, text)
    text = without_hidden_characters(hole, text)
    text = without_repetition(hole, text)
    text = without_following_lines(hole, text)
    text = without_suffix_overlap(hole, text)
    text = with_indentation_characters(hole, text)
    if not text.strip():
        return ""
    return text if hole.right.strip() else text.rstrip()


def opening(hole: Hole, text: str) -> str:
    """Return what a text says of its own: the first steps, which ask what it begins with."""
    text = with_line_feeds(hole, text)
    text = without_special_tokens(hole, text)
    text = without_chatter(hole, text)
    text = without_fences(hole, text)
    text = without_line_start(hole, text)
    return without_echoed_prefix(hole, text)
