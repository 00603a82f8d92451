"""What a user may plausibly type behind an insertion, in as few words as possible.

A continuation closes what is open, gives a header its body and a `try` its handler, and opens again
what the text behind needs and no longer has.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import State, closers
from synconfroute.validators.python.outline import SHORTEST, Item, ends_as_header, first_word
from synconfroute.validators.python.reading import lines_of

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


def finished(hole: Hole, line: str, state: State) -> Iterator[str]:
    """What ends the hole's line, and all blocks around it, as if no text were behind it.

    Args:
        hole: the hole.
        line: its logical line with the insertion in it.
        state: what is open at the end of that line.
    """
    for ending in _endings(line, state, 0):
        blocks = _blocks(hole, line + ending)
        handlers = "".join(_handler(item) for item in reversed(blocks.tries))
        yield f"{ending}{blocks.body}\n{handlers}"


def fitting(hole: Hole, line: str, state: State) -> Iterator[str]:
    """What leads from the end of the hole's line to the text behind it; as `finished`."""
    need = hole.need
    same = _common(state.brackets, need.kept)
    whole = same == len(need.kept)
    if whole and not need.opened and (not need.quote or state.quote == need.quote):
        yield from _going_on(hole, line, state, same)
    if hole.old.strip():
        yield from _as_before(hole, line, state)
    if need.opened or (need.quote and not state.quote) or (not whole and _begins_closing(line)):
        yield from _opened_again(hole, line, state, same)


def _going_on(hole: Hole, line: str, state: State, same: int) -> Iterator[str]:
    """Nothing need be opened."""
    if hole.need.quote:
        yield ""
        return
    for ending in _endings(line, state, same):
        if same:
            yield ending
            if ending:
                yield f"{ending},"
        else:
            blocks = _blocks(hole, line + ending)
            yield from dict.fromkeys((ending + blocks.body, ending))
            if blocks.decorated and hole.below:
                yield f"{ending}\n{blocks.white}def x():{_opener(hole.below[0])}"


def _as_before(hole: Hole, line: str, state: State) -> Iterator[str]:
    """What stood there before the edit is typed again."""
    same = _common(state.brackets, hole.base)
    for ending in _endings(line, state, same):
        joints = ["\n", ",\n"] if same else ["\n"]
        if not same and (body := _blocks(hole, line + ending).body):
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


def _opened_again(hole: Hole, line: str, state: State, same: int) -> Iterator[str]:
    """Brackets that the text behind closes are opened."""
    need = hole.need
    brackets = "".join(line[at] for at in need.kept[same:]) + need.opened
    opening = "".join(_OPENING[bracket] for bracket in brackets) + need.quote
    whites = {hole.below[0].white} if hole.below else set()
    for ending in _endings(line, state, same):
        if same:
            yield from (f"{ending}{joint}{opening}" for joint in _JOINTS)
            continue
        blocks = _blocks(hole, line + ending)
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


def _endings(line: str, state: State, same: int) -> tuple[str, ...]:
    """What closes a string and all brackets but so many; with the operand that may be missing."""
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
    return tuple(
        f"{gap}{operand}{closing}{colon}" if operand or closing else ""
        for colon in _colons(line, closing, same)
        for operand in operands
    )


def _colons(line: str, closing: str, same: int) -> tuple[str, ...]:
    """What may stand behind the last closing bracket of a logical line."""
    if same or _HEADER.search(line) is None:
        return ("",)
    return (":", "", "():" if closing.endswith("]") else " in x:")


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What the blocks around the end of a line lack.

    Attributes:
        white: the white space that the last logical line begins with.
        body: what its header must be followed by, if it is one.
        tries: each `try` that has no handler yet, the innermost last.
        decorated: is the last line a decorator? What it decorates may go on in the lines below.
    """

    white: str
    body: str
    tries: list[Item]
    decorated: bool = False


def _blocks(hole: Hole, line: str) -> _Blocks:
    lines = lines_of(line, careful=False)
    items = list(hole.above)
    for start, indent in zip(lines.starts, lines.indents, strict=True):
        white = line[start : start + _white(line, start)]
        items.append(Item(indent, white, first_word(line, start), ""))
    if lines.starts:
        bare = ends_as_header(line, lines.starts[-1], len(line)) or items[-1].word == "@"
        items[-1] = replace(items[-1], bare=bare)
    if not items:
        return _Blocks("", "", [])
    last = items[-1]
    return _Blocks(last.white, _body(last), _open_tries(items), last.word == "@")


def _opener(below: Item) -> str:
    """What the first line below goes on with, if it is a clause."""
    word = {"except": "try", "finally": "try", "else": "if", "elif": "if"}.get(below.word)
    return f"\n{below.white}{SHORTEST[word]}\n{below.white} pass" if word else ""


def _body(last: Item) -> str:
    if not last.bare:
        return ""
    if last.word == "@":
        return f"\n{last.white}def x():\n{last.white} pass"
    return f"\n{last.white} case x: pass" if last.word == "match" else f"\n{last.white} pass"


def _open_tries(items: list[Item]) -> list[Item]:
    """The `try` statements that the last of these lines is in and that have no handler yet."""
    tries: list[Item] = []
    for item in items:
        while tries and tries[-1].indent >= item.indent:
            tries.pop()
        if item.word == "try":
            tries.append(item)
    return tries


def with_handlers(hole: Hole, line: str) -> str:
    """The lines below the hole, each `try` that lacks one given a handler before it is left."""
    tries = _blocks(hole, line).tries
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


def _white(line: str, start: int) -> int:
    return len(line) - start - len(line[start:].lstrip(" \t\f"))
