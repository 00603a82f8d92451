"""The ways to cut one answer of several lines."""

from collections.abc import Mapping
from dataclasses import dataclass

from synconfroute.evaluation.cutting.replay import Replay
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.server.completion.hole import Hole
from synconfroute.validators.verdict import Outcome, Verdict

WAYS = ("raw", "shortest", "longest", "plain", "structural")
"""The whole text; up to the first and the last line end where the buffer parses with it; up to a
line that leaves the hole's level or is the first one below; where the server ends it."""


@dataclass(frozen=True, slots=True)
class Ways:
    """One answer, cut in each way.

    Attributes:
        stored: the answer with its task.
        texts: by each of `WAYS`.
        ends: the text up to each of its line ends, the shortest first.
        tokens: how many of its tokens the server would have waited for.
    """

    stored: Stored
    texts: Mapping[str, str]
    ends: tuple[str, ...]
    tokens: int


async def ways_of(stored: Stored, replay: Replay) -> Ways:
    """Cut an answer in each way."""
    hole, text = hole_of(stored.task), stored.prediction.text
    ends = line_ends(text)
    parsing = [end for end in ends if _parses(await replay.judging.verdict(hole, end))]
    structural = await replay.structural(stored)
    texts = {
        "raw": stored.raw,
        "shortest": parsing[0] if parsing else "",
        "longest": parsing[-1] if parsing else "",
        "plain": plain_cut(hole, text),
        "structural": structural.text,
    }
    return Ways(stored, texts, ends, structural.tokens)


def line_ends(text: str) -> tuple[str, ...]:
    """The text up to the end of each line that has something visible in it."""
    lines = text.split("\n")
    return tuple("\n".join(lines[:at]) for at, line in enumerate(lines, 1) if line.strip())


def plain_cut(hole: Hole, text: str) -> str:
    """Cut a text before a later line that is the first one below, or is indented less than its own.

    What a simple editor plugin does.
    """
    first, *later = text.split("\n")
    below = next((line.rstrip() for line in hole.suffix.split("\n") if line.strip()), None)
    level = _indentation(hole.left + first)
    kept = [first]
    for line in later:
        if line.strip() and (line.rstrip() == below or _indentation(line) < level):
            break
        kept.append(line)
    return "\n".join(kept).rstrip()


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parses(verdict: Verdict) -> bool:
    """True if the buffer parses with the text as it is, with nothing left to be typed."""
    left_open = any(each.kind == "open" for each in verdict.evidence)
    return verdict.outcome is Outcome.VALID and not left_open
