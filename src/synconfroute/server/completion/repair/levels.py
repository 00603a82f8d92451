"""Where a line may begin: what the code around a hole says about its indentation (Python)."""

import re
from dataclasses import dataclass

from synconfroute.server.completion.hole import Hole

_HEADER = re.compile(
    r"\s*(?:async|case|class|def|elif|else|except|finally|for|if|match|try|while|with)\b.*:"
    r"[ \t]*(?:#.*)?\Z"
)
_LINES = 400
"""Lines that are read on each side; a unit of indentation shows in far fewer."""


@dataclass(frozen=True, slots=True)
class Around:
    """The visible lines next to a hole.

    Attributes:
        above: the nearest one above the hole's line, or "".
        below: the nearest one below the hole's line, or "".
        unit: what one level of indentation is in this buffer.
        outer: indentations of the blocks around the line above, its own first.
    """

    above: str
    below: str
    unit: str
    outer: tuple[str, ...]

    @property
    def deepest(self) -> str:
        """The deepest indentation that a line below `above` may have."""
        begin = indentation(self.above)
        return begin + self.unit if is_header(self.above) else begin

    @property
    def header_level(self) -> str | None:
        """The one indentation of a header, where what stands below needs one; else None.

        The line below is deeper than the line above lets it be, by one level: so the hole is
        where its block is opened.
        """
        needed = indentation(self.below)
        if width(needed) <= width(self.deepest) or not needed.endswith(self.unit):
            return None
        level = needed.removesuffix(self.unit)
        if width(level) != width(self.deepest):
            return None
        ends_something = self.above.lstrip()[:1] in {'"', "'", ")", "]", "}"}
        return None if ends_something and not level else level


def around(hole: Hole) -> Around:
    """What stands next to the hole's line."""
    before = hole.prefix[: len(hole.prefix) - len(hole.left)].split("\n")[-_LINES:]
    after = hole.suffix[len(hole.right) :].split("\n", _LINES)[:_LINES]
    above = [line for line in before if line.strip()]
    below = [line for line in after if line.strip()]
    return Around(
        above=above[-1] if above else "",
        below=below[0] if below else "",
        unit=_unit([*above, *below]),
        outer=_outer(above),
    )


def is_header(line: str) -> bool:
    """True if this one line opens a block that stands below it."""
    return _HEADER.match(line) is not None


def indentation(line: str) -> str:
    """The white space that the line begins with."""
    return line[: len(line) - len(line.lstrip())]


def width(space: str) -> int:
    """Columns of a white space, as Python counts them."""
    return len(space.expandtabs(8))


def _unit(lines: list[str]) -> str:
    begins = {indentation(line) for line in lines} - {""}
    return min(begins, key=lambda space: (width(space), space), default="    ")


def _outer(above: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    for line in reversed(above):
        begin = indentation(line)
        if not found or width(begin) < width(found[-1]):
            found.append(begin)
        if not begin:
            break
    return tuple(found)
