"""Which open brackets above a place does the code below it close?"""

from collections.abc import Mapping, Sequence

from synconfroute.validators.treesitter.skeleton import Need, Opener, Skeleton

_MOST = 40
_SURE = 4

Places = frozenset[tuple[int, int]]
"""Lines and columns of open brackets."""


def _places(opened: Sequence[Opener]) -> Places:
    return frozenset((each.line, each.column) for each in opened)


def paired(opened: Opener | None, need: Need | None, closers: Mapping[str, str]) -> Places:
    """Guess it from kinds and indentation.

    From the outside in; where that does not fit, so that what fits best is paired.
    """
    inner, wanted = _openers(opened), _wanted(need)
    at = 0
    while at < min(len(inner), len(wanted)) and _fit(inner[at], wanted[at], closers) >= _SURE:
        at += 1
    rest, left = inner[at:], wanted[at:]
    if len(rest) > _MOST or len(left) > _MOST:
        return _places(inner[:at])
    return _places(inner[:at]) | _best(rest, left, closers)


def misfits(opened: Opener | None, need: Need | None, closers: Mapping[str, str]) -> int:
    """How many brackets, above a place and below it, find no partner of their kind."""
    inner, wanted = _openers(opened), _wanted(need)
    if len(inner) > _MOST or len(wanted) > _MOST:
        return abs(len(inner) - len(wanted))
    row = [0] * (len(wanted) + 1)
    for opener in inner:
        corner = 0
        for at, each in enumerate(wanted):
            fits = corner + 1 if closers[each.text] == opener.text else 0
            corner = row[at + 1]
            row[at + 1] = max(fits, row[at + 1], row[at])
    return len(inner) + len(wanted) - 2 * row[-1]


def paired_before(opened: Opener | None, first: int, clean: Skeleton, last: int) -> Places:
    """Know it from a buffer that was sound, of which lines `first` to `last` were replaced."""
    # Behind the last line of a sound buffer nothing is open.
    above, below = (clean.opened[row] if row < len(clean.opened) else None for row in (first, last))
    survive = _places(_openers(above)) & _places(_openers(below))
    return survive & _places(_openers(opened))


def _openers(cell: Opener | None) -> list[Opener]:
    """From the outside in."""
    found = []
    while cell is not None:
        found.append(cell)
        cell = cell.outer
    return found[::-1]


def _wanted(cell: Need | None) -> list[Need]:
    """From the outside in."""
    found = []
    while cell is not None:
        found.append(cell)
        cell = cell.outer
    return found[::-1]


def _fit(opener: Opener, need: Need, closers: Mapping[str, str]) -> int:
    """How well they go together; 0: not at all."""
    if closers[need.text] != opener.text:
        return 0
    if need.line == opener.line:
        return _SURE
    if need.indent < 0:
        return 2
    if opener.text == "{" and opener.value and not need.value:
        return 1
    return _SURE if need.indent == opener.indent else 1


def _best(inner: Sequence[Opener], wanted: Sequence[Need], closers: Mapping[str, str]) -> Places:
    """The pairs, in order, that fit best together."""
    if not inner or not wanted:
        return frozenset()
    table = [[0] * (len(wanted) + 1) for _ in range(len(inner) + 1)]
    for i in range(len(inner) - 1, -1, -1):
        for j in range(len(wanted) - 1, -1, -1):
            fit = _fit(inner[i], wanted[j], closers)
            both = table[i + 1][j + 1] + fit if fit else 0
            table[i][j] = max(both, table[i + 1][j], table[i][j + 1])
    found: list[Opener] = []
    i = j = 0
    while i < len(inner) and j < len(wanted):
        fit = _fit(inner[i], wanted[j], closers)
        if fit and table[i][j] == table[i + 1][j + 1] + fit:
            if fit >= _SURE:
                found.append(inner[i])
            i, j = i + 1, j + 1
        elif table[i][j] == table[i + 1][j]:
            i += 1
        else:
            j += 1
    return _places(found)
