"""A text inserted into a buffer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_LINE_END = re.compile("\r\n?")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text put between prefix and suffix. Every line ends with LF; see `of`.

    Attributes:
        prefix: the buffer before the hole.
        text: what is inserted.
        suffix: the buffer after the hole.
        before: the whole buffer before the user's edit, where known.
        row: lines before the hole's; they are counted where none are given.
    """

    prefix: str
    text: str
    suffix: str
    before: str | None = None
    row: int = -1

    def __post_init__(self) -> None:
        if self.row < 0:
            object.__setattr__(self, "row", self.prefix.count("\n"))

    @classmethod
    def of(cls, prefix: str, text: str, suffix: str, before: str | None = None) -> "Insertion":
        """Make one of texts whose lines end with LF, CRLF or CR; drops a byte order mark."""
        after = text or suffix
        if prefix.endswith("\r") and after.startswith("\n"):
            prefix = prefix[:-1]
        if text.endswith("\r") and suffix.startswith("\n"):
            text = text[:-1]
        return cls(
            _plain(prefix),
            with_line_feeds(text),
            with_line_feeds(suffix),
            None if before is None else _plain(before),
        )

    @property
    def buffer(self) -> str:
        """The buffer with the text in it."""
        return f"{self.prefix}{self.text}{self.suffix}"

    @property
    def lines(self) -> range:
        """The 1-based lines of the buffer that the text stands on."""
        return range(self.row + 1, self.row + 2 + self.text.count("\n"))

    @property
    def left(self) -> str:
        """What stands on the hole's line before the hole."""
        return self.prefix[self.prefix.rfind("\n") + 1 :]

    @property
    def right(self) -> str:
        """What stands on the hole's line behind the hole."""
        end = self.suffix.find("\n")
        return self.suffix if end < 0 else self.suffix[:end]

    @property
    def line_end(self) -> str:
        """The line break that the text ends with, or ""."""
        return "\n" if self.text.rstrip(" \t").endswith("\n") else ""

    @property
    def below(self) -> str:
        """The nearest line below the hole's line that is not blank, or ""."""
        for line in self._lines_below():
            if line.strip():
                return line
        return ""

    def _lines_below(self) -> Iterator[str]:
        """The lines of the suffix; its first is the rest of the hole's line, if that goes on."""
        start = 0 if self.line_end else self.suffix.find("\n") + 1
        if not self.line_end and start == 0:
            return
        while start < len(self.suffix):
            end = self.suffix.find("\n", start)
            end = len(self.suffix) if end < 0 else end
            yield self.suffix[start:end]
            start = end + 1

    def replaced(self, text: str) -> "Insertion":
        """The same hole with another text, whose lines end with LF."""
        return replace(self, text=text)


def with_line_feeds(text: str) -> str:
    """The text with LF where its lines end with CRLF or CR."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def _plain(beginning: str) -> str:
    return with_line_feeds(beginning).removeprefix("\ufeff")
