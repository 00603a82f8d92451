"""The interpreter's parser, made to read what newer interpreters and notebooks read."""

import ast
import keyword
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from synconfroute.validators.grammar import Fault, Undecidable
from synconfroute.validators.python.dialect import translated

_MOST = 40_000
"""Characters that are parsed for one verdict: 5 ms."""
_LONGEST = 100_000
"""Characters that are parsed at once: 30 ms."""
_EACH = 700
"""What one parse costs besides, in characters."""
_GAVE_UP = "the parser gave up: the buffer is nested too deeply"
_OWN_LIMIT = re.compile(r"too many nested|too many levels|nested too deeply|Exceeds the limit")
_QUOTED = re.compile(r"'([^']*)'")
_PLACE = re.compile(r" on line \d+| \(detected at line \d+\)")
"""A second place, counted in what was parsed, which is not the buffer."""
_AT_LAST_TOKEN = re.compile(r"invalid syntax\Z|unexpected indent\Z")
"""What the parser says of the last token that it has read: nothing behind it was looked at."""
_AT_BRACKET = re.compile(r"unmatched '.'\Z|closing parenthesis '.' does not match")
"""What it says of a bracket when it comes there."""


def parses(text: str) -> bool:
    """Is this text code?

    Raises:
        Undecidable: the parser gives up.
    """
    return fault_in(text) is None


def fault_in(text: str) -> Fault | None:
    """What is wrong with a text, or None if it is code. The line is the text's own, 1-based.

    Raises:
        Undecidable: the parser gives up.
    """
    failure = _failure_in(text)
    return None if failure is None else failure.fault


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a text does not parse.

    Attributes:
        fault: what is wrong.
        place: the line, counted from 1, and the column that the parser stopped at, whatever stands
            behind it; None if that is not known.
    """

    fault: Fault
    place: tuple[int, int] | None

    def lies_in(self, beginning: str) -> bool:
        """Does every text fail that begins like this one?"""
        end = beginning.count("\n") + 1, len(beginning) - beginning.rfind("\n") - 1
        return self.place is not None and self.place < end


class TooMuch(Exception):
    """More would have to be parsed than there is time for."""


class Parser:
    """Parses for one verdict, and no more than there is time for, wherever it runs."""

    def __init__(self) -> None:
        """Nothing is parsed yet."""
        self._left = _MOST

    def failure(self, text: str) -> Failure | None:
        """Why a text does not parse, or None if it does.

        Raises:
            TooMuch: too much has been parsed already.
            Undecidable: the parser gives up.
        """
        if self._left < 0:
            raise TooMuch
        if len(text) > _LONGEST:
            raise Undecidable("the statement around the text is too long")
        self._left -= len(text) + _EACH
        return _failure_in(text)

    def parses_any(self, texts: Iterable[str], beginning: str) -> bool:
        """Does one of these texts parse, all of which begin in the same way? See `failure`."""
        for text in texts:
            failure = self.failure(text)
            if failure is None:
                return True
            if failure.lies_in(beginning):
                return False
        return False


def _failure_in(text: str) -> Failure | None:
    error = _error_in(text)
    if error is None:
        return None
    other = translated(text)
    if other != text and _error_in(other) is None:
        return None
    fault = Fault(max(error.lineno or 1, 1), _without_source(error.msg))
    return Failure(fault, None if other != text else _read_to(error))


def _read_to(error: SyntaxError) -> tuple[int, int] | None:
    """The `Failure.place` of an error."""
    if not error.lineno or not error.offset:
        return None
    if _AT_BRACKET.match(error.msg):
        return error.lineno, error.offset - 1
    if not _AT_LAST_TOKEN.match(error.msg):
        return None
    end = error.end_lineno or error.lineno, (error.end_offset or error.offset) - 1
    return max(end, (error.lineno, error.offset))


def _error_in(text: str) -> SyntaxError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        if _OWN_LIMIT.search(error.msg):
            raise Undecidable(_GAVE_UP) from None
        return error
    except (RecursionError, MemoryError, OverflowError, ValueError):
        raise Undecidable(_GAVE_UP) from None
    return None


def _without_source(message: str) -> str:
    """The interpreter's message without advice, places, and anything that the buffer may hold."""
    message = _PLACE.sub("", message.partition(". ")[0])
    if message.startswith("(unicode error)"):
        return "a string with a broken escape"
    quoted = _QUOTED.findall(message)
    if any(word.isidentifier() and not keyword.iskeyword(word) for word in quoted):
        return "invalid syntax"
    return message
