"""What a report is made of, whatever it is written as."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A text as it is, such as a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Short items, such as the names of tasks; `empty` stands where there is none."""

    items: Sequence[str]
    empty: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads. The first column holds names, the others figures.

    Attributes:
        heads: of the columns.
        rows: cells as they are to be shown.
        marked: rows to bring out, by their place.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figures:
    """A few numbers that stand for the whole: pairs of what it is and how much."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing.

    Attributes:
        svg: the element; its colours are classes of the page's style.
        name: of its file, without folder or ending.
        caption: one sentence: what it shows.
        legend: what is shown in which colour: labels and classes.
        filled: the colours fill areas; else they are lines.
    """

    svg: str
    name: str
    caption: str
    legend: Sequence[tuple[str, str]]
    filled: bool = False


Block = Text | Quote | Listing | Table | Figures | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under its title."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    sections: Sequence[Section]

    def pictures(self) -> list[Picture]:
        """All drawings, in order."""
        return [
            block
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Picture)
        ]
