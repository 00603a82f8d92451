"""The interpreter's parser, made to read what newer interpreters and notebooks read."""

import ast
import keyword
import re
import warnings

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
    error = _error_in(text)
    if error is None:
        return None
    other = translated(text)
    if other != text and _error_in(other) is None:
        return None
    return Fault(max(error.lineno or 1, 1), _without_source(error.msg))


class TooMuch(Exception):
    """More would have to be parsed than there is time for."""


class Parser:
    """Parses for one verdict, and no more than there is time for, wherever it runs."""

    def __init__(self) -> None:
        """Nothing is parsed yet."""
        self._left = _MOST

    def parses(self, text: str) -> bool:
        """See `parses`.

        Raises:
            TooMuch: too much has been parsed already.
            Undecidable: the parser gives up.
        """
        if self._left < 0:
            raise TooMuch
        if len(text) > _LONGEST:
            raise Undecidable("the statement around the text is too long")
        self._left -= len(text) + _EACH
        return parses(text)

    def fault(self, text: str) -> Fault | None:
        """See `fault_in`."""
        return fault_in(text)


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
