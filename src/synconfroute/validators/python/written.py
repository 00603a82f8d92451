"""A hole's logical line with a text in it, and what the blocks around its end lack.

It is read once: what a user may type behind it is read from its end on.
"""

from dataclasses import dataclass, replace

from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import CLEAR, State, scan
from synconfroute.validators.python.lines import Lines
from synconfroute.validators.python.outline import Item, ends_as_header, first_word
from synconfroute.validators.python.reading import begun

_WHITE = " \t\f"


@dataclass(frozen=True, slots=True)
class Blocks:
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


class Written:
    """What stands on a hole's logical line once a text is inserted.

    Attributes:
        text: from the first column of the line.
        state: what is open at its end.
        lines: its logical lines, should it be more than one.
    """

    def __init__(self, hole: Hole, inserted: str) -> None:
        """Insert a text into a hole."""
        self.text = f"{hole.head}{inserted}{hole.rest}"
        self.lines = begun(self.text)
        self.state = scan(self.text, 0, len(self.text), lines=self.lines)
        self._above = hole.above
        self._read_to = _read_to(self.text, self.state, self.lines)

    def lines_with(self, more: str) -> Lines:
        """The logical lines, should this be typed on."""
        if not more:
            return self.lines
        text = self.text + more
        at, state = self._read_to
        lines = Lines(self.lines.starts.copy(), self.lines.indents.copy()) if at else begun(text)
        scan(text, at, len(text), state, lines)
        return lines

    def blocks(self, more: str) -> Blocks:
        """What the blocks around the end lack, should this be typed on."""
        lines = self.lines_with(more)
        text = self.text + more
        items = list(self._above)
        for start, indent in zip(lines.starts, lines.indents, strict=True):
            code = start
            while text[code] in _WHITE:
                code += 1
            items.append(Item(indent, text[start:code], first_word(text, code), ""))
        if lines.starts:
            bare = ends_as_header(text, lines.starts[-1], len(text)) or items[-1].word == "@"
            items[-1] = replace(items[-1], bare=bare)
        if not items:
            return Blocks("", "", [])
        last = items[-1]
        return Blocks(last.white, _body(last), _open_tries(items), last.word == "@")


def _read_to(text: str, state: State, lines: Lines) -> tuple[int, State]:
    """Where to read on when something is appended, which may go on with the last token.

    With what is open there.
    """
    within = State(state.brackets)
    if state.quote:
        return state.quote_at, within
    if state.comment >= 0:
        return state.comment, within
    if text.endswith(("'", '"')):
        return 0, CLEAR  # the next quote may make three of an empty string's two
    end = len(text.rstrip(_WHITE))
    if text.endswith(("\n", "\\"), 0, end):
        return (lines.starts[-1] if lines.starts else 0), CLEAR
    return end, within


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
