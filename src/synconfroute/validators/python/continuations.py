"""What a user may plausibly type behind an insertion, in as few words as possible.

A continuation closes what is open, gives a header its body and a `try` its handler, and opens again
what the text behind needs and no longer has.
"""

import re
from collections.abc import Iterator

from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import closers
from synconfroute.validators.python.outline import SHORTEST, Item
from synconfroute.validators.python.written import Written

_WORD_END = re.compile(r"[\w)\]}\"']$")
_HEADER = re.compile(
    r"^[ \t]*(?:async[ \t]+)?(?:if|elif|for|while|except|with|def|class|match|case)\b", re.MULTILINE
)
_OPENING = {"(": "x(", "[": "[", "{": "{"}
_JOINTS = ("\n", ",\n", ",\n*", ",\nx: ", "\n*", "\nx: ")
"""What stands before a bracket that is opened inside another one."""
_HANDLERS = ("except", "finally")
_MOST_TYPED = 12
"""Lines of a replaced text that may have been typed again."""


def finished(line: Written) -> Iterator[str]:
    """What ends the hole's line, and all blocks around it, as if no text were behind it.

    Args:
        line: the hole's logical line with the insertion in it.
    """
    for ending in _endings(line, 0):
        blocks = line.blocks(ending)
        handlers = "".join(_handler(item) for item in reversed(blocks.tries))
        yield f"{ending}{blocks.body}\n{handlers}"


def fitting(hole: Hole, line: Written) -> Iterator[str]:
    """What leads from the end of the hole's line to the text behind it; see `finished`."""
    need = hole.need
    same = _common(line.state.brackets, need.kept)
    whole = same == len(need.kept)
    if whole and not need.opened and (not need.quote or line.state.quote == need.quote):
        yield from _going_on(hole, line, same)
    if hole.old.strip():
        yield from _as_before(hole, line)
    if (
        need.opened
        or (need.quote and not line.state.quote)
        or (not whole and _begins_closing(line.text))
    ):
        yield from _opened_again(hole, line, same)


def _going_on(hole: Hole, line: Written, same: int) -> Iterator[str]:
    """Nothing need be opened."""
    if hole.need.quote:
        yield ""
        return
    for ending in _endings(line, same):
        if same:
            yield ending
            if ending:
                yield f"{ending},"
        else:
            blocks = line.blocks(ending)
            yield from dict.fromkeys((ending + blocks.body, ending))
            if blocks.decorated and hole.below:
                yield f"{ending}\n{blocks.white}def x():{_opener(hole.below[0])}"


def _as_before(hole: Hole, line: Written) -> Iterator[str]:
    """What stood there before the edit is typed again."""
    same = _common(line.state.brackets, hole.base)
    for ending in _endings(line, same):
        joints = ["\n", ",\n"] if same else ["\n"]
        if not same and (body := line.blocks(ending).body):
            joints.append(f"{body}\n")
        for joint in joints:
            for old in _typed_on(hole.old):
                yield f"{ending}{joint}{old}"


def _typed_on(old: str) -> Iterator[str]:
    """What stood there, and what is left of it where its first lines have been typed already."""
    for _ in range(_MOST_TYPED):
        yield old
        old = old[old.find("\n") + 1 :] if "\n" in old else ""
        if not old.strip():
            return


def _opened_again(hole: Hole, line: Written, same: int) -> Iterator[str]:
    """Brackets that the text behind closes are opened."""
    need = hole.need
    brackets = "".join(line.text[at] for at in need.kept[same:]) + need.opened
    opening = "".join(_OPENING[bracket] for bracket in brackets) + need.quote
    whites = {hole.below[0].white} if hole.below else set()
    for ending in _endings(line, same):
        if same:
            yield from (f"{ending}{joint}{opening}" for joint in _JOINTS)
            continue
        blocks = line.blocks(ending)
        for white in sorted({blocks.white, *whites}):
            for operand in ("", "x"):
                yield f"{ending}{blocks.body}\n{white}{opening}{operand}"


def _begins_closing(line: str) -> bool:
    """Does the last line begin with a closing bracket?"""
    return line[line.rfind("\n") + 1 :].lstrip()[:1] in (")", "]", "}")


def _common(these: tuple[int, ...], those: tuple[int, ...]) -> int:
    """How many brackets two places have open together."""
    count = 0
    while count < min(len(these), len(those)) and these[count] == those[count]:
        count += 1
    return count


def _endings(written: Written, same: int) -> tuple[str, ...]:
    """What closes a string and all brackets but so many; with the operand that may be missing."""
    line, state = written.text, written.state
    closing = closers(line, state.brackets[same:])
    if len(state.quote) == 3:
        gap = "\n" if line.endswith("\\") else ""
        return tuple(
            f"{gap}{state.quote}{closing}{colon}" for colon in _colons(line, closing, same)
        )
    if line.endswith("\\"):
        return tuple(
            f"\n{x}{closing}{colon}" for colon in _colons(line, closing, same) for x in ("x", "")
        )
    if not state.brackets:
        return ("",)
    code = line[: state.comment if state.comment >= 0 else len(line)].rstrip()
    gap = "\n" if state.comment >= 0 else " "
    if code.endswith(("(", "[", "{", ",")):
        operands: tuple[str, ...] = ("", "x", "x: x") if closing else ("", "x,", "x: x,")
    elif _WORD_END.search(code):
        operands = ("", "else x", "in x", ": x", "x in x", "x") if closing else ("",)
    else:
        operands = ("x", "", "x else x")
    endings = [
        f"{gap}{operand}{closing}{colon}" if operand or closing else ""
        for colon in _colons(line, closing, same)
        for operand in operands
    ]
    if (key := closing.find("}")) > 0:
        endings.append(f"{gap}{operands[0]}{closing[:key]}: x{closing[key:]}")
    return tuple(endings)


def _colons(line: str, closing: str, same: int) -> tuple[str, ...]:
    """What may stand behind the last closing bracket of a logical line."""
    if same or _HEADER.search(line) is None:
        return ("",)
    return (":", "", "():" if closing.endswith("]") else " in x:")


def _opener(below: Item) -> str:
    """What the first line below goes on with, if it is a clause."""
    word = {"except": "try", "finally": "try", "else": "if", "elif": "if"}.get(below.word)
    return f"\n{below.white}{SHORTEST[word]}\n{below.white} pass" if word else ""


def with_handlers(hole: Hole, line: Written, more: str) -> str:
    """The lines below the hole, should this be typed on behind its line.

    Each `try` that lacks a handler is given one before it is left.
    """
    tries = line.blocks(more).tries
    parts = []
    for item in hole.below:
        while tries and tries[-1].indent >= item.indent:
            last = tries.pop()
            if last.indent > item.indent or item.word not in _HANDLERS:
                parts.append(_handler(last))
        parts.append(item.text)
    return "".join([*parts, *(_handler(item) for item in reversed(tries))])


def _handler(item: Item) -> str:
    return f"{item.white}finally:\n{item.white} pass\n"
