"""The damage that an insertion does to a buffer, told from what is unfinished anyway."""

import re
from dataclasses import dataclass

from synconfroute.validators.grammar import Fault
from synconfroute.validators.python.breaks import breaks_oddly
from synconfroute.validators.python.continuations import finished, fitting, with_handlers
from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import closers, lines_of, scan
from synconfroute.validators.python.syntax import fault_in, parses

_FILLERS = (
    "", "x", "=x", " x", "x:", ":", ": x", " import x", " in x", " in x:", " else x", " as x",
    " as x:", " import x as x", "x():", "():", "x: x", "x in x", "x import x",
)  # fmt: skip


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


def fillers(hole: Hole) -> tuple[str, ...]:
    """Harmless texts for the hole: one of them lets the buffer parse if the hole is sound."""
    line = hole.head + hole.rest
    state = scan(hole.head, 0, len(hole.head))
    closing = state.quote + closers(hole.head, state.brackets[len(hole.need.kept) :])
    texts = list(_FILLERS)
    if closing:
        texts += [f"{before}{closing}{after}" for after in ("", ":") for before in ("", "x")]
    if not line.strip() and hole.below and not line:
        texts.append(f"{hole.below[0].white}x")
    if not line and hole.above:
        texts += [f"{hole.above[-1].white}x", f"{hole.above[-1].white} x"]
    return tuple(texts)


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
