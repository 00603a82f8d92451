"""What a text does to the code around a hole, told from what is unfinished there anyway."""

import string
from collections.abc import Callable, Iterator
from dataclasses import replace

from synconfroute.validators.grammar import Fault
from synconfroute.validators.python.breaks import breaks_oddly
from synconfroute.validators.python.continuations import finished, fitting, with_handlers
from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.lexing import scan
from synconfroute.validators.python.lines import width
from synconfroute.validators.python.syntax import Parser, TooMuch, fault_in
from synconfroute.validators.python.written import Written

_FILLERS = (
    "", "x", "=x", " x", "x:", ":", ": x", " import x", " in x", " in x:", " else x", " as x",
    " as x:", " import x as x", "x():", "():", "x: x", "x in x", "x import x", "x in x:", "= x:",
)  # fmt: skip
"""Harmless texts: one of them goes with nearly every beginning of a line."""
_IN_WORDS = string.ascii_letters + string.digits + "_"


class Trial:
    """A hole with a text in it."""

    def __init__(self, hole: Hole, text: str, parser: Parser) -> None:
        """Try a text.

        Args:
            hole: the hole.
            text: what is put into it.
            parser: counts what is parsed.
        """
        self._hole = hole
        self._text = text
        self._line = Written(hole, text)
        self._beginning = "".join(item.text for item in hole.above) + self._line.text
        self._parser = parser
        self._lost: Fault | None = None

    def outright(self) -> bool:
        """Does the code around the hole parse as it stands?"""
        below = "".join(item.text for item in self._hole.below)
        failure = self._parser.failure(self._region("", below))
        if failure is not None and failure.lies_in(self._beginning):
            self._lost = failure.fault
        return failure is None

    def no_code(self) -> bool:
        """Are there nothing but comments on the hole's lines?"""
        return self._hole.need.nothing and not self._line.lines.starts

    def viable(self) -> bool:
        """Can the hole's line be finished, whatever stands behind it?"""
        if self._lost is not None:
            return False
        texts = (f"{self._beginning}{ending}\n" for ending in finished(self._line))
        return self._parser.parses_any(texts, self._beginning)

    def fits(self) -> bool:
        """Can the user go on from the text to what stands behind the hole?"""
        regions = (
            self._region(more, with_handlers(self._hole, self._line, more))
            for more in fitting(self._hole, self._line)
        )
        return self._parser.parses_any(regions, self._beginning)

    def odd(self) -> bool:
        """Does the text end where hardly anybody would break the line?"""
        text, state = self._line.text, self._line.state
        innermost = state.brackets[-1:]
        if innermost and innermost[0] in self._hole.need.kept:
            return False
        return breaks_oddly(text, state, text.rfind("\n") + 1)

    def repeats(self, suffix: str) -> bool:
        """Are the last lines of the text the ones that stand right below it?"""
        own = [line.rstrip() for line in self._text.split("\n")[1:] if line.strip()]
        below = _first_lines(suffix[len(self._hole.rest) :], len(own))
        return any(own[-count:] == below[:count] for count in range(1, len(own) + 1))

    def fault(self) -> tuple[str, int]:
        """What is wrong, and how many lines below the first line of the text."""
        fault = self._lost or fault_in(f"{self._beginning}{next(finished(self._line))}\n")
        if fault is None:
            return "invalid syntax", 0
        rows = self._beginning.count("\n") - self._line.text.count("\n")
        line = fault.line - 1 - rows - self._hole.head.count("\n")
        return fault.message, min(max(line, 0), self._text.rstrip().count("\n"))

    def indented_as_others(self, line: int) -> bool:
        """In a broken buffer: is this line of the text indented as another one around it is?"""
        own = f"{self._hole.head}{self._text}".split("\n")[self._hole.head.count("\n") + line]
        return width(own[: len(own) - len(own.lstrip())]) in self._hole.levels

    def _region(self, more: str, below: str) -> str:
        tail = self._hole.tail
        between = "\n" if more and not tail.startswith("\n") else ""
        return f"{self._beginning}{more}{between}{tail}\n{below}"


class Ground:
    """A hole, and whether it is sound: does any harmless text in it pass a test?

    Attributes:
        hole: the hole.
    """

    def __init__(self, hole: Hole) -> None:
        """Nothing is tried in the hole yet."""
        self.hole = hole
        self._passes: dict[Callable[[Trial], bool], bool] = {}

    def prepare(self) -> None:
        """Try all tests, so that nobody has to wait for them."""
        for test in (Trial.viable, Trial.fits):
            self.passes(test)

    def passes(self, test: Callable[[Trial], bool]) -> bool:
        """Does any harmless text pass? False, too, where there is no time to say."""
        if test not in self._passes:
            try:
                self._passes[test] = self._tried(test)
            except TooMuch:
                self._passes[test] = False
        return self._passes[test]

    def _tried(self, test: Callable[[Trial], bool]) -> bool:
        """The last word before the hole, or the string that it is in, may be half typed."""
        hole, parser = self.hole, Parser()
        state = scan(hole.head, 0, len(hole.head))
        heads = [hole.head, hole.head.rstrip(_IN_WORDS)]
        if len(state.quote) == 1:
            heads.append(hole.head[: state.quote_at].rstrip(_IN_WORDS))
        trials = (
            Trial(replace(hole, head=head), filler, parser)
            for filler in (*_FILLERS, *_lines_for(hole))
            for head in dict.fromkeys(heads)
        )
        # Where the user has chosen an indentation, an empty line would not show that it is wrong.
        chosen = test is Trial.fits and hole.head != "" and "#" not in hole.head
        return any(test(trial) for trial in trials if not (chosen and trial.no_code()))


def _lines_for(hole: Hole) -> Iterator[str]:
    """Whole lines for a hole that has its line for itself, indented as their neighbours are."""
    if hole.head or hole.rest:
        return
    yield from (f"{item.white}x" for item in hole.below[:1])
    yield from (f"{item.white}{deeper}x" for item in hole.above[-1:] for deeper in ("", " "))


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
