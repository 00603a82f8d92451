"""What a report is made of, whatever it is written as."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Tone = Literal["", "good", "bad", "soft"]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows, within a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A text as it is, such as a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """What to type into a terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that is left out.

    Attributes:
        text: one sentence: what, and what it needs.
        command: the command that makes that.
    """

    text: str
    command: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Short items, such as the names of tasks; `empty` stands where there is none."""

    items: Sequence[str]
    empty: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: what it says.
        note: what stands small below it, such as an interval; may be of several lines.
        tone: whether that is good or bad.
    """

    text: str
    note: str = ""
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column.

    Attributes:
        text: what it says.
        group: what stands above it and its neighbours of the same group.
    """

    text: str
    group: str = ""

    @property
    def whole(self) -> str:
        """Both in one line."""
        return f"{self.group} {self.text}" if self.group else self.text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads.

    Attributes:
        heads: of the columns.
        rows: cells as they are to be shown.
        marked: rows to bring out, by their place.
        title: such as "Table 3"; "" for none.
        caption: what it shows, of how many tasks, made by what; "" for none.
        words: the columns that hold words, by their place: they begin at the left, and may be
            broken; all others hold figures.
    """

    heads: Sequence[str | Head]
    rows: Sequence[Sequence[str | Cell]]
    marked: frozenset[int] = frozenset()
    title: str = ""
    caption: str = ""
    words: frozenset[int] = frozenset({0})


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
        caption: what it shows, of how many tasks, made by what.
        legend: what is shown in which colour: labels and classes.
        filled: the colours fill areas; else they are lines.
        title: such as "Figure 3"; "" for none.
        slim: a bar that needs no room in height, and none in width.
    """

    svg: str
    name: str
    caption: str
    legend: Sequence[tuple[str, str]]
    filled: bool = False
    title: str = ""
    slim: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """Details that a reader may open."""

    title: str
    blocks: Sequence["Block"]


Block = Text | Heading | Quote | Command | Missing | Listing | Table | Figures | Picture | Folded


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
            for block in _unfolded(section.blocks)
            if isinstance(block, Picture)
        ]


def _unfolded(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Folded):
            yield from _unfolded(block.blocks)
        else:
            yield block
