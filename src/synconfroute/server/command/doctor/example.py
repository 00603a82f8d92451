"""The bundled example that doctor completes: ten holes in a file of our own, never the user's."""

from synconfroute.server.completion.hole import Hole

_MARK = "⟦"
# A hole reaches from the mark to the end of its line.
_SOURCE = '''"""Statistics of a list of numbers."""


def total(values):
    result = ⟦0
    for value in ⟦values:
        result += ⟦value
    return ⟦result


def mean(values):
    if not ⟦values:
        return ⟦None
    return total(values) / ⟦len(values)


def largest(values):
    best = ⟦values[0]
    for value in values[1:]:
        if value > ⟦best:
            best = value
    return ⟦best
'''


def example_holes() -> list[Hole]:
    """The ten holes, in the order of the file."""
    pieces = _SOURCE.split(_MARK)
    holes = []
    for number in range(1, len(pieces)):
        rest = "".join(pieces[number:])
        holes.append(
            Hole(
                language="python",
                prefix="".join(pieces[:number]),
                suffix=rest[rest.index("\n") :],
                uri=f"synconfroute:/example/{number}",
                explicit=True,
            )
        )
    return holes
