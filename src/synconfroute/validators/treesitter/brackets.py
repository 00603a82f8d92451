"""Damage that needs no grammar: brackets, quotes, and what stands in no program."""

import re

from synconfroute.validators.grammar import Fault
from synconfroute.validators.treesitter.edit import LEFT, OWN, Edit, Placed
from synconfroute.validators.treesitter.pairing import Places
from synconfroute.validators.treesitter.skeleton import Opener, after, ends_pattern
from synconfroute.validators.treesitter.tokens import reads_code

_FENCE = re.compile(r"\s*```\w*\s*$")
_LEAKED = re.compile(r"<\|\w+\|>|<EOT>$")


def alien(edit: Edit) -> Fault | None:
    """Find quotes that the text does not close, and what belongs to no language."""
    for row, line in enumerate(edit.texts):
        in_code = not (edit.lines[row - 1].mode if row else edit.mode)
        if in_code and _FENCE.match(line) and (row or edit.text.strip()):
            return Fault(edit.row + row + 1, "a fence of three backquotes")
    for each in edit.placed:
        if each.side == LEFT:
            continue
        if each.token.kind == "bad":
            if each.token.text.lstrip().startswith("#"):
                return _fault(edit, each, "a broken directive")
            quoted = each.token.end - each.token.start > 1 or each.token.text in "\"'"
            return _fault(edit, each, "a quote that is not closed" if quoted else "a stray sign")
    fenced = _fenced(edit)
    if fenced is not None:
        return fenced
    found = _LEAKED.search(edit.text)
    if found is not None and not any(found[0] in line for line in edit.frame.texts):
        row = edit.text.count("\n", 0, found.start())
        return Fault(edit.row + row + 1, "a token of a model's language")
    return None


def _fenced(edit: Edit) -> Fault | None:
    """Find a fence, which some languages would take for the beginning of quotes."""
    mode = edit.mode
    for row, line in enumerate(edit.lines):
        if row and reads_code(mode) and edit.texts[row].lstrip().startswith("```"):
            return Fault(edit.row + row + 1, "a fence")
        mode = line.mode
    return None


def unbalanced(edit: Edit, paired: Places) -> Fault | None:
    """Find a closing bracket of the text that closes nothing, the wrong one, or one too many.

    Args:
        edit: the text in its buffer.
        paired: the brackets open above the text that the code below it closes.
    """
    top = edit.opened
    run: Opener | None = None
    for each in edit.brackets():
        if ends_pattern(top, each.token, edit.language.words):
            continue
        below = after(top, each.token, edit.row + each.row, each.indent, edit.closers)
        if each.token.kind == "close" and each.side == OWN:
            fault = None if _ends_run(each, top, run) else _closing(edit, each, top, paired)
            if fault is not None:
                return fault
        run = top if _leads_alone(each) else run
        top = below
    return None


def _ends_run(each: Placed, top: Opener | None, run: Opener | None) -> bool:
    """Does it close what was opened beside, or on a line like, what the leading brace closes?

    As in `})`, which stands for itself as a leading brace does.
    """
    if top is None or run is None or each.row or each.token.behind not in {"}", ")", "]"}:
        return False
    return top.line == run.line or top.indent == run.indent


def _closing(edit: Edit, each: Placed, top: Opener | None, paired: Places) -> Fault | None:
    opener = edit.closers[each.token.text]
    if top is None or top.text != opener:
        if (top is None and edit.frame.stray >= 0) or _leads_alone(each):
            return None
        return _fault(edit, each, f"a {each.token.text} that closes nothing")
    if top.line >= edit.row and not edit.right.strip():
        return None
    if (top.line, top.column) not in paired or _stands_for_itself(edit, each, top):
        return None
    return _fault(edit, each, f"one {each.token.text} too many")


def _stands_for_itself(edit: Edit, each: Placed, top: Opener) -> bool:
    """Does a line begin with it, so that the user may go on with another opening one?

    In a text of several lines the indentation must say so too, and the code below must not.
    """
    if edit.texts[each.row][: each.token.start].strip():
        return False
    if _leads_alone(each):
        return True
    outer = top.outer.indent if top.outer else 0
    return outer <= each.indent <= top.indent and not _repeats_below(edit, each.row)


def _leads_alone(each: Placed) -> bool:
    """Does the text's first line begin with what closes a block?"""
    return each.token.lead and each.row == 0 and each.token.text not in {")", "]"}


def _repeats_below(edit: Edit, row: int) -> bool:
    """Are the text's lines from this one on, with code above them, those below the text?"""
    if row == 0 or edit.right.strip():
        return False
    own = [line.strip() for line in edit.texts[row:] if line.strip()]
    rows = range(edit.row + 1, min(edit.row + 1 + 4 * len(own), len(edit.frame.texts)))
    below = [line for line in (edit.frame.texts[at].strip() for at in rows) if line]
    return own == below[: len(own)]


def _fault(edit: Edit, each: Placed, message: str) -> Fault:
    return Fault(edit.row + each.row + 1, message)
