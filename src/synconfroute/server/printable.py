"""Text that others chose, shown so that it steers nothing."""

import unicodedata

_KEPT = "\n\t"
_HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def printable(text: str) -> str:
    """The text with control characters as escapes: a model must not steer the terminal."""
    return "".join(
        character if character in _KEPT or _is_harmless(character) else ascii(character)[1:-1]
        for character in text
    )


def _is_harmless(character: str) -> bool:
    """Not a control, a formatting mark such as a bidi override, a line separator or a surrogate."""
    return unicodedata.category(character) not in _HARMFUL
