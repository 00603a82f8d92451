"""Evidence against a text inserted into a Python buffer."""

from contextlib import suppress

from synconfroute.validators.evidence.duplicate import duplicate
from synconfroute.validators.evidence.python.flow import unreachable
from synconfroute.validators.evidence.python.names import names
from synconfroute.validators.evidence.python.outline import Outline
from synconfroute.validators.evidence.python.region import Region, region
from synconfroute.validators.evidence.python.repeats import repeats
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence


class PythonWitness:
    """Knows the names of one buffer (see `Witness`)."""

    def __init__(self) -> None:
        self._outline = Outline()

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now, before anything is inserted."""
        self._outline.update(text.removeprefix("\ufeff"))

    def find(self, insertion: Insertion) -> tuple[Evidence, ...]:
        """Names, jumps and repeated lines; () when in doubt."""
        if not insertion.text.strip():
            return ()
        found = duplicate(insertion)
        comment = insertion.left.lstrip().startswith("#") and "\n" not in insertion.text
        piece = None if comment else region(insertion, self._outline)
        if piece is not None:
            with suppress(RecursionError):  # a long chain of operators; then nothing is said
                found += _read(piece, self._outline)
        return tuple(found)


def _read(piece: Region, outline: Outline) -> list[Evidence]:
    cut = unreachable(piece)
    if cut is None:
        return [*repeats(piece), *names(piece, outline, dead=range(0))]
    return [cut.evidence, *names(piece, outline, dead=cut.lines)]
