"""The damage that an insertion does to a buffer, told from what is unfinished anyway."""

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from synconfroute.validators.grammar import Fault
from synconfroute.validators.python.breaks import breaks_oddly
from synconfroute.validators.python.continuations import finished, fitting, with_handlers
from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import lines_of, scan
from synconfroute.validators.python.syntax import fault_in, parses

_FILLERS = (
    "", "x", "=x", " x", "x:", ":", ": x", " import x", " in x", " in x:", " else x", " as x",
    " as x:", " import x as x", "x():", "():", "x: x", "x in x", "x import x",
)  # fmt: skip


_IN_WORDS = string.ascii_letters + string.digits + "_"
_NOT_CODE = re.compile(
    r"<[|｜][\w▁. -]*[|｜]>|</?(?:s|EOT|EOD|PRE|SUF|MID|eos|end_of_turn|fim_\w+|code_\w+)>"
    r"|^[ \t]*(?:```|~~~)",
    re.MULTILINE,
)
"""Words that models end with or put around code."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What an insertion breaks.

    Attributes:
        message: what is wrong.
        line: how many lines below the first line of the hole's logical line.
    """

    message: str
    line: int


def outright(hole: Hole, text: str) -> bool:
    """Does the buffer parse around the hole with this text in it?"""
    below = "".join(item.text for item in hole.below)
    return parses(_region(hole, _line(hole, text), "", below))


def no_code(hole: Hole, text: str) -> bool:
    """Are there nothing but comments on the hole's lines?"""
    return hole.need.nothing and not lines_of(_line(hole, text), careful=False).starts


def viable(hole: Hole, text: str) -> bool:
    """Can the hole's line be finished with this text in it, whatever stands behind it?"""
    line = _line(hole, text)
    state = scan(line, 0, len(line))
    above = _above(hole)
    return any(parses(f"{above}{line}{ending}\n") for ending in finished(hole, line, state))


def fits(hole: Hole, text: str) -> bool:
    """Can the user go on from this text to what stands behind the hole?"""
    line = _line(hole, text)
    state = scan(line, 0, len(line))
    return any(
        parses(_region(hole, line, more, with_handlers(hole, line + more)))
        for more in fitting(hole, line, state)
    )


def not_code(text: str) -> bool:
    """Does a text that does not parse hold what only models write?"""
    return _NOT_CODE.search(text) is not None


def odd(hole: Hole, text: str) -> bool:
    """Does the text end where hardly anybody would break the line?"""
    line = _line(hole, text)
    state = scan(line, 0, len(line))
    kept = state.brackets[-1:] and state.brackets[-1] in hole.need.kept
    return not kept and breaks_oddly(line, state, line.rfind("\n") + 1)


def repeats(hole: Hole, text: str, suffix: str) -> bool:
    """Are the last lines of the text the ones that stand right below it?"""
    lines = [line.rstrip() for line in text.split("\n")]
    own = [line for line in lines[1:] if line]
    below = _first_lines(suffix[len(hole.rest) :], len(own))
    return any(own[-count:] == below[:count] for count in range(1, len(own) + 1))


def _first_lines(text: str, count: int) -> list[str]:
    """The first lines of a text that are not blank."""
    found: list[str] = []
    at = 0
    while len(found) < count and at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if line := text[at:end].rstrip():
            found.append(line)
        at = end + 1
    return found


def sound(hole: Hole, test: Callable[[Hole, str], bool]) -> bool:
    """Is there a harmless text for the hole, by this test?

    The last word before the hole, or the string that it is in, may be half typed: it may go.
    """
    state = scan(hole.head, 0, len(hole.head))
    heads = [hole.head, hole.head.rstrip(_IN_WORDS)]
    if len(state.quote) == 1:
        heads.append(hole.head[: state.quote_at])
    return any(
        test(replace(hole, head=head), filler)
        for head in dict.fromkeys(heads)
        for filler in (*_FILLERS, *_lines_for(hole))
    )


def _lines_for(hole: Hole) -> Iterator[str]:
    """Whole lines for a hole that has its line for itself, indented as their neighbours are."""
    if hole.head or hole.rest:
        return
    yield from (f"{item.white}x" for item in hole.below[:1])
    yield from (f"{item.white}{deeper}x" for item in hole.above[-1:] for deeper in ("", " "))


def damage(hole: Hole, text: str) -> Damage:
    """What is wrong with the buffer with this text in the hole."""
    line = _line(hole, text)
    above = _above(hole)
    fault = fault_in(f"{above}{line}\n") or Fault(1, "invalid syntax")
    number = fault.line - above.count("\n") - 1
    return Damage(fault.message, min(max(number, 0), line.count("\n")))


def _line(hole: Hole, text: str) -> str:
    return f"{hole.head}{text}{hole.rest}"


def _above(hole: Hole) -> str:
    return "".join(item.text for item in hole.above)


def _region(hole: Hole, line: str, more: str, below: str) -> str:
    between = "\n" if more and not hole.tail.startswith("\n") else ""
    return f"{_above(hole)}{line}{more}{between}{hole.tail}\n{below}"
