"""Words that a preprocessor may replace by anything."""

import re
from collections.abc import Iterator
from functools import cache

_ARGUMENTS = r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"
_MEANINGS = ("", "x", "int x", "void x()")
"""An attribute or a statement, a value, the declaration of a variable, the head of a function."""

_LOOP = re.compile(
    rf"(?<=[;{{}}\n)])(\s*)\b(?!if\b|for\b|while\b|switch\b|catch\b|return\b)"
    rf"[^\W\d]\w*\s*{_ARGUMENTS}(?=\s*(?://[^\n]*\s*)?[\w{{])"
)
"""What looks like a call and is followed by a statement must be the head of one."""


def readings(code: str, macros: str) -> Iterator[str]:
    """The code, and what it may be once macros are replaced.

    Args:
        code: a piece of a program.
        macros: pattern of words that may be macros; "" for none.
    """
    yield code
    if not macros:
        return
    loops = _LOOP.sub(r"\1if (x)", f"\n{code}")[1:]
    if loops != code:
        yield loops
        yield _macro(macros).sub("", code)
    attributes = _attribute(macros).sub("", loops)
    if attributes not in (loops, _macro(macros).sub("", loops)):
        yield attributes
    for meaning in _MEANINGS:
        read = _macro(macros).sub(meaning, loops)
        if read == loops:
            return
        yield read


@cache
def _attribute(macros: str) -> re.Pattern[str]:
    """A macro without arguments that stands beside a word."""
    return re.compile(rf"\b(?:{macros})\b(?=\s*[\w~:&*])|(?<=[\w)>] )(?:{macros})\b(?!\s*\()")


@cache
def _macro(macros: str) -> re.Pattern[str]:
    """A macro that is more than a value: it has arguments, or stands beside a word."""
    word = rf"\b(?:{macros})\b"
    apart = rf"(?:[ \t]*{_ARGUMENTS}|(?=\s*[\w{{~:&*]|\s*$))"
    return re.compile(rf"{word}{apart}|(?<=[\w)>] ){word}", re.MULTILINE)
