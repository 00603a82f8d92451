"""The end of the structure that a text of several lines began."""

from synconfroute.server.completion.cleaning.structure.structure import Structure
from synconfroute.server.completion.hole import Hole


def structural_cut(hole: Hole, text: str) -> str:
    """Cut a text of several lines where it leaves the hole's block, or begins what stands below."""
    end = Structure(hole).end(text + "\n")
    return text if end is None else text[:end].rstrip()
