"""When an answer of several lines is complete, told while it streams."""

from synconfroute.server.completion.cleaning import opening
from synconfroute.server.completion.cleaning.fences import closing_fence, fence_end
from synconfroute.server.completion.cleaning.structure.reading import reader_for
from synconfroute.server.completion.cleaning.structure.structure import Structure
from synconfroute.server.completion.hole import Hole


class Stop:
    """Reads one answer as it grows.

    What comes behind the place where it says that the answer is complete would be cut off by
    cleaning, whatever it is.
    """

    def __init__(self, hole: Hole) -> None:
        """Read an answer to this hole."""
        self._hole = hole
        self._structure = Structure(hole)

    def complete(self, text: str) -> bool:
        """True if what comes next can only be cut off.

        Args:
            text: all that the model sent so far; it begins with what it was in the last call.
        """
        begin = fence_end(text)
        if begin is None:
            return False
        text = text.removesuffix("\r")
        proper = opening(self._hole, text)
        if not proper.strip():
            return False
        whole_lines = text[: text.rfind("\n") + 1]
        return (
            closing_fence(self._hole, whole_lines, begin) is not None
            or self._structure.end(proper) is not None
        )


def make_ready() -> None:
    """Import what reads languages with braces, so that no answer waits for it."""
    reader_for("java")
