"""Names in code, and how much two pieces of it have in common."""

import re

_NAME = re.compile(r"[^\W\d]\w*")
_LONGEST = 100

_COMMON = frozenset((
    "and", "as", "assert", "async", "await", "break", "case", "catch", "class", "const",
    "continue", "def", "default", "del", "do", "double", "elif", "else", "enum", "except",
    "extends", "false", "final", "finally", "float", "fn", "for", "from", "func", "function",
    "global", "go", "goto", "if", "impl", "implements", "import", "in", "include", "int",
    "interface", "is", "lambda", "let", "long", "match", "mod", "mut", "new", "nil", "none",
    "not", "null", "or", "package", "pass", "private", "protected", "pub", "public", "raise",
    "return", "self", "short", "static", "str", "string", "struct", "super", "switch", "this",
    "throw", "throws", "true", "try", "type", "typename", "use", "using", "var", "virtual",
    "void", "while", "with", "yield",
))  # fmt: skip
"""Words of languages: they say nothing of what code is about."""


def names(text: str) -> list[str]:
    """The names in a text, in order."""
    return [name for name in _NAME.findall(text) if len(name) <= _LONGEST]


def plain(name: str) -> str:
    """A name as it is compared: an instance often bears its type's name, `_ring` and `Ring`."""
    return name.replace("_", "").casefold()


def distances(prefix: str, suffix: str) -> dict[str, int]:
    """For each name around a cursor, in its plain form, how many lines away it stands.

    Below the cursor counts like twice as far above it.
    """
    found: dict[str, int] = {}
    for away, line in enumerate(suffix.split("\n")):
        for name in names(line):
            found.setdefault(plain(name), 2 * away + 1)
    for away, line in enumerate(reversed(prefix.split("\n"))):
        for name in names(line):
            word = plain(name)
            found[word] = min(away, found.get(word, away))
    return found


def vocabulary(text: str) -> frozenset[str]:
    """The names that say what a text is about: no keywords, nothing of one letter."""
    return frozenset(
        name for name in names(text) if len(name) > 1 and name.casefold() not in _COMMON
    )


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """What two vocabularies share of all that they hold together (Jaccard), in [0, 1]."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
