"""Where the user has changed something: the newest changes say best what comes next."""

from dataclasses import dataclass

from synconfroute.validators.line_text import TO_THE_END, Splice

MOST_REGIONS = 16
MOST_LINES = 24
"""A region that would grow beyond this many lines is left, and a new one begun."""
_NEAR = 4
"""A change so many lines from a region belongs to it."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines that were changed.

    Attributes:
        key: the document's.
        first: counted from 0.
        stop: the line behind the last one.
    """

    key: str
    first: int
    stop: int

    def moved(self, lines: int) -> "Region":
        """The same lines after so many others were put above them."""
        return Region(self.key, self.first + lines, self.stop + lines)


class Edits:
    """The regions that were changed last, in all open documents."""

    def __init__(self) -> None:
        """Nothing was changed yet."""
        self._regions: list[Region] = []  # the newest stands last

    def add(self, key: str, splice: Splice) -> None:
        """Take note of a change. Costs what it touches."""
        if splice.stop >= TO_THE_END:
            self.forget(key)  # a new text: nobody knows what of it is new
            return
        lines = _lines(splice.text)
        changed = Region(key, splice.first, splice.first + lines)
        added = lines - (splice.stop - splice.first)
        kept: list[Region] = []
        for region in self._regions:
            if region.key != key or region.stop + _NEAR <= splice.first:
                kept.append(region)
            elif region.first >= splice.stop + _NEAR:
                kept.append(region.moved(added))
            else:
                after = region.stop + (added if region.stop >= splice.stop else 0)
                both = Region(key, min(region.first, changed.first), max(after, changed.stop))
                if both.stop - both.first <= MOST_LINES:
                    changed = both
        self._regions = [*kept, changed][-MOST_REGIONS:]

    def forget(self, key: str) -> None:
        """The document is closed."""
        self._regions = [region for region in self._regions if region.key != key]

    def of(self, key: str) -> tuple[tuple[int, int], ...]:
        """First and last line of each region of a document, the newest first."""
        return tuple(
            (region.first, max(region.first, region.stop - 1))
            for region in reversed(self._regions)
            if region.key == key
        )


def _lines(text: str) -> int:
    """How many lines a text of whole lines is."""
    ends = text.count("\n") or text.count("\r")
    return ends + (not text.endswith(("\n", "\r")) and bool(text))
