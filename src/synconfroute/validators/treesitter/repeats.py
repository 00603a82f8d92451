"""Text whose last lines stand below it already."""

from synconfroute.validators.grammar import Fault
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.pairing import misfits
from synconfroute.validators.treesitter.skeleton import after


def repeated(edit: Edit) -> Fault | None:
    """Find last lines of the text that stand below it too, and leave brackets without partners.

    Without them, the brackets would fit better.
    """
    if edit.right.strip():
        return None
    first = _first_repeated(edit)
    if first == 0:
        return None
    if _ends_quoted(edit, first):
        return Fault(edit.row + first + 1, "the end of a comment or of quotes, repeated")
    whole = misfits(edit.opened_right, edit.need, edit.closers)
    top = edit.opened
    for each in edit.brackets():
        if each.row < first:
            top = after(top, each.token, edit.row + each.row, each.indent, edit.closers)
    if misfits(top, edit.need, edit.closers) >= whole:
        return None
    return Fault(edit.row + first + 1, "the code below the text, repeated")


def _first_repeated(edit: Edit) -> int:
    """The first row of the text whose lines from there on stand below it; 0 if there is none."""
    rows = [row for row in range(1, len(edit.texts)) if edit.texts[row].strip()]
    texts = edit.frame.texts
    below = [
        text for text in texts[edit.row + 1 : edit.row + 1 + 4 * len(edit.texts)] if text.strip()
    ]
    for at, row in enumerate(rows):
        if [edit.texts[each].rstrip() for each in rows[at:]] == [
            text.rstrip() for text in below[: len(rows) - at]
        ]:
            return row
    return 0


def _ends_quoted(edit: Edit, first: int) -> bool:
    """Do the lines from this one on close a comment or quotes, as the code below the text does?"""
    mode = edit.lines[first - 1].mode
    return len(edit.lines[-1].mode) < len(mode) and mode == edit.frame.modes[edit.row + 1]
