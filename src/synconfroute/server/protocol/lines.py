"""A text as lines, so that an edit costs what it touches and not what the document holds."""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TypeAlias

from synconfroute.validators.line_text import Splice

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)")

Place: TypeAlias = tuple[int, int]
"""Line and character, both counted from 0, characters as Python counts them (code points)."""


def split_lines(text: str) -> list[str]:
    r"""Split at "\r\n", "\n" and "\r" only (LSP, "Text Documents"), each line with its end.

    All but the last line end with a line end; the last has none and may be empty, so that the
    list is never empty and its texts, joined, are the text.
    """
    if "\r" not in text:
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        return lines
    lines = _LINE.findall(text)
    lines.append(text[sum(map(len, lines)) :])
    return lines


def unix_line_ends(text: str) -> str:
    r"""The same text with every line end as "\n"."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def whole_characters(text: str) -> str:
    """The same text with halves of a character (surrogates) that stand side by side as that one.

    They come so where an editor sends them in two edits. A half alone stays.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Lines:
    """A text that is edited in place. Places beyond its end, or a line's end, mean that end."""

    __slots__ = ("_lines", "_size")

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._size = len(text)

    def __len__(self) -> int:
        """How many lines, at least one."""
        return len(self._lines)

    @property
    def size(self) -> int:
        """How many characters, line ends counted as they are. Costs nothing."""
        return self._size

    @property
    def text(self) -> str:
        """The whole text, exactly, with the line ends that it has."""
        return "".join(self._lines)

    def content(self, line: int) -> str:
        """A line without its end. Raises IndexError where there is no such line."""
        return self._lines[line].rstrip("\r\n")

    def replace(self, start: Place, end: Place, text: str) -> Splice:
        """Put `text` where `start` to `end` stood. `end` before `start` is taken as `start`.

        Returns:
            The same edit as one of whole lines.
        """
        first, left = self._clamped(start)
        last, right = max((first, left), self._clamped(end))
        new = self._lines[first][:left] + text + self._lines[last][right:]
        if first and new.startswith("\n") and self._lines[first - 1].endswith("\r"):
            first -= 1
            new = self._lines[first] + new
        stop = last + 1
        fresh = split_lines(new)
        if stop < len(self._lines):
            # What ends with a line end yields an empty last line: here the next one follows.
            fresh.pop()
        self._size += len(new) - sum(map(len, self._lines[first:stop]))
        self._lines[first:stop] = fresh
        return Splice(first, stop, new)

    def before(self, place: Place, characters: int, lines: int) -> str:
        """The text that ends at `place`: whole lines while both limits hold.

        Where the line of `place` alone exceeds the limit, its end.
        """
        line, column = self._clamped(place)
        left = self._lines[line][:column]
        room = characters - len(left)
        if room < 0:
            return left[-characters:]
        preceding = self._lines[max(0, line + 1 - lines) : line]
        count = bisect_right([*accumulate(map(len, reversed(preceding)))], room)
        return "".join(preceding[len(preceding) - count :]) + left

    def after(self, place: Place, characters: int, lines: int) -> str:
        """The text that begins at `place`: whole lines while both limits hold.

        Where the line of `place` alone exceeds the limit, its beginning.
        """
        line, column = self._clamped(place)
        right = self._lines[line][column:]
        room = characters - len(right)
        if room < 0:
            return right[:characters]
        following = self._lines[line + 1 : line + lines]
        count = bisect_right([*accumulate(map(len, following))], room)
        return right + "".join(following[:count])

    def around(self, place: Place) -> tuple[str, str]:
        """The whole text before and after `place`."""
        line, column = self._clamped(place)
        here = self._lines[line]
        return (
            "".join(self._lines[:line]) + here[:column],
            here[column:] + "".join(self._lines[line + 1 :]),
        )

    def _clamped(self, place: Place) -> Place:
        line, column = place
        if line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        return line, min(column, len(self.content(line)))
