"""Where a text of several lines is cut: at its last line end that nothing speaks against."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from synconfroute.server.completion.hole import Hole
from synconfroute.validators.verdict import Outcome, Verdict

Judge = Callable[[Hole, str], Awaitable[Verdict]]
"""Says what inserting a text in a hole does to the buffer."""

MOST = 24
"""Line ends that are tried, the last ones; a verdict takes about a millisecond."""

_TOO_LONG = frozenset({"duplicate", "unreachable"})
_TOO_SHORT = frozenset({"missing", "open"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A text up to one of its line ends, and what inserting it does to the buffer."""

    text: str
    verdict: Verdict


def ends_unfinished(text: str, written: str, ending: str) -> bool:
    """True if a text ends where the limit of tokens ended what the model wrote.

    Args:
        text: cleaned.
        written: what the model wrote.
        ending: why it wrote no more, as in `Draft.ending`.
    """
    return ending == "length" and written.rstrip().endswith(text.rstrip())


async def best_cut(hole: Hole, text: str, judge: Judge, *, unfinished: bool) -> Cut:
    """The longest beginning of a text, up to a line's end, that nothing speaks against.

    Where something speaks against each, the longest that does not break the buffer; else all.

    Args:
        hole: where the text goes.
        text: cleaned, with something visible in it.
        judge: the validator.
        unfinished: the text ends where its limit of tokens did, in a line that may be half.
    """
    whole: Cut | None = None
    fallback: Cut | None = None
    for each in _line_ends(text, unfinished=unfinished):
        cut = Cut(each, await judge(hole, each))
        whole = whole or cut
        if cut.verdict.outcome is Outcome.INVALID:
            continue
        if not _doubted(cut.verdict):
            return cut
        fallback = fallback or cut
    return fallback or whole or Cut(text, await judge(hole, text))


def _doubted(verdict: Verdict) -> bool:
    """True if there is evidence that the text ends too early or too late."""
    return any(each.kind in _TOO_LONG | _TOO_SHORT for each in verdict.evidence)


def _line_ends(text: str, *, unfinished: bool) -> Iterator[str]:
    """The text up to each of its last line ends, the longest first."""
    lines = text.split("\n")
    ends = [at for at, line in enumerate(lines, 1) if line.strip()]
    if unfinished and len(ends) > 1:
        ends.pop()
    for end in list(reversed(ends))[:MOST]:
        yield "\n".join(lines[:end])
