"""Columns as an editor counts them, and as Python does."""

import re
from enum import StrEnum
from typing import Any

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Encoding(StrEnum):
    """What an editor counts in a line: bytes, UTF-16 code units, or code points (LSP 3.17)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def negotiate(offered: Any) -> Encoding:
    """The first encoding that a client prefers and we know; UTF-16 where it says nothing.

    Args:
        offered: its `general.positionEncodings`, as it came.
    """
    names = offered if isinstance(offered, list) else []
    return next((each for name in names for each in Encoding if each == name), Encoding.UTF16)


def characters(line: str, column: int, encoding: Encoding) -> int:
    """How many characters of `line` stand before `column`.

    A column inside a character means its beginning; one past the end means the end. Lone
    surrogates are characters of their own (one UTF-16 unit, three bytes).
    """
    head = line[:column]
    if encoding is Encoding.UTF32 or head.isascii():
        return len(head)
    if encoding is Encoding.UTF16:
        return _characters_utf16(line, column)
    return _characters_utf8(head, column)


def columns(text: str, encoding: Encoding) -> int:
    """How many columns `text` takes."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + len(_ASTRAL.findall(text))
    return len(text.encode("utf-8", "surrogatepass"))


def _characters_utf16(line: str, column: int) -> int:
    left = column
    for match in _ASTRAL.finditer(line, 0, column):
        if match.start() >= left - 1:
            # Wholly right of the column, or the column is in the middle of this pair.
            return min(left, match.start())
        left -= 1
    return min(left, len(line))


def _characters_utf8(head: str, column: int) -> int:
    encoded = head.encode("utf-8", "surrogatepass")
    end = min(column, len(encoded))
    while end < len(encoded) and encoded[end] & 0xC0 == 0x80:
        end -= 1
    return len(encoded[:end].decode("utf-8", "surrogatepass"))
