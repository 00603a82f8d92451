"""The logical lines of a text."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Lines:
    """The logical lines of a text, without blank ones and comments.

    Attributes:
        starts: where each begins: the first column of its first line.
        indents: how far each is indented, in columns, tabs reaching to multiples of 8.
    """

    starts: list[int] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)

    def add(self, text: str, start: int, at: int) -> int:
        """Note a line whose first word stands `at` a place, if it has one; returns the last indent.

        Args:
            text: the text.
            start: where the line begins.
            at: where its white space ends.
        """
        if text[at] not in "#\n":
            self.starts.append(start)
            self.indents.append(width(text[start:at]))
        return self.indents[-1] if self.indents else 0


def width(white: str) -> int:
    """How many columns white space takes, as the interpreter counts them."""
    white = white.rpartition("\f")[2]
    return len(white.expandtabs(8)) if "\t" in white else len(white)
