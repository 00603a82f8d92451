"""The keys that type a text: when each is struck, with pauses and slips, the same for a seed.

Times are those of somebody who types 240 keys a minute. A new line comes with its indentation, as
editors give it.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

GAP_S = 0.25
"""Between two keys, in seconds; each gap is 0.6 to 1.4 times that."""
_JITTER = 0.4
_LINE_PAUSE, _LINE_PAUSE_S = 0.5, (0.7, 1.6)
"""How often somebody thinks before a line, and how long, in seconds."""
_WORD_PAUSE, _WORD_PAUSE_S = 0.05, (0.5, 1.2)
"""The same before a word within a line."""
_SLIP = 0.06
"""So often a wrong letter is struck."""
_UNSEEN = 0.5
"""So often another key follows before a slip is seen."""
_SEEN_S = 0.35
"""It takes so long to see it, in seconds."""

_UNIT = re.compile(r"\n[ \t]*|\A[ \t]+|.", re.DOTALL)
_NEIGHBOURS = {"a": "s", "e": "r", "i": "o", "n": "m", "o": "p", "r": "t", "s": "d", "t": "y"}


@dataclass(frozen=True, slots=True)
class Stroke:
    """One key.

    Attributes:
        at: so many characters of the text stand, and are right, when it is struck.
        gap: seconds since the key before.
        text: what it inserts; "" is a step back.
        right: the text goes on with what it inserts.
    """

    at: int
    gap: float
    text: str
    right: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """All strokes that type a text, in order.

    Attributes:
        text: what stands in the end.
        strokes: where nothing is taken.
    """

    text: str
    strokes: tuple[Stroke, ...]

    @property
    def seconds(self) -> float:
        """How long the typing takes."""
        return sum(stroke.gap for stroke in self.strokes)

    def begin(self, at: int) -> Sequence[Stroke]:
        """The strokes from a place on.

        Args:
            at: so many characters stand. Within a new line's indentation its rest comes first.
        """
        rest = [stroke for stroke in self.strokes if stroke.at >= at]
        due = rest[0].at if rest else len(self.text)
        if due > at:
            rest.insert(0, Stroke(at, GAP_S, self.text[at:due]))
        return rest


def plan(text: str, seed: str) -> Plan:
    """The strokes for a text; the same seed gives the same."""
    chance = random.Random(seed)
    return Plan(text, tuple(_strokes(text, chance)))


def _strokes(text: str, chance: random.Random) -> Iterator[Stroke]:
    for unit in _UNIT.finditer(text):
        at, struck = unit.start(), unit[0]
        pause = _pause(text, at, chance)
        slip = _NEIGHBOURS.get(struck)
        if slip is not None and chance.random() < _SLIP:
            yield from _slip(at, slip, text[at + 1 : at + 2], pause, chance)
            pause = 0.0
        yield Stroke(at, _gap(chance) + pause, struck)


def _slip(
    at: int, letter: str, following: str, pause: float, chance: random.Random
) -> Iterator[Stroke]:
    """A wrong letter, at times another key behind it, and as many steps back."""
    wrong = [Stroke(at, _gap(chance) + pause, letter, right=False)]
    if following.isalpha() and chance.random() < _UNSEEN:
        wrong.append(Stroke(at, _gap(chance), following, right=False))
    yield from wrong
    back = Stroke(at, _SEEN_S + _gap(chance), "", right=False)
    for _ in wrong:
        yield back
        back = replace(back, gap=_gap(chance))


def _gap(chance: random.Random) -> float:
    return GAP_S * chance.uniform(1 - _JITTER, 1 + _JITTER)


def _pause(text: str, at: int, chance: random.Random) -> float:
    """What somebody thinks before a line or a word, in seconds."""
    before = text[at - 1 : at]
    begins_line = not text[:at].rpartition("\n")[2].strip() and not text[at].isspace()
    if begins_line:
        often, (least, most) = _LINE_PAUSE, _LINE_PAUSE_S
    elif text[at].isalpha() and not (before.isalnum() or before == "_"):
        often, (least, most) = _WORD_PAUSE, _WORD_PAUSE_S
    else:
        return 0.0
    return chance.uniform(least, most) if chance.random() < often else 0.0
