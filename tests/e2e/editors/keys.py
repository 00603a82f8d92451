"""Somebody who types fast: the keys of a minute, with pauses in which a completion may come."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

ACCEPT, BACKSPACE, NEWLINE = "accept", "backspace", "newline"
"""Keys that are no characters; each editor has its own for the first."""

_WORDS = ("alpha", "beta_2", "naïve", "größe", "数値", "total", "x", "row")
_GLUE = (" = ", " + ", ".", ", ", " - ")
_ASTRAL = "𝒳"


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    Attributes:
        name: a character, or one of the names above.
        pause: seconds to wait before it.
    """

    name: str
    pause: float


def fast_typing(seconds: float, seed: int = 8) -> Iterator[Key]:
    """Keys whose pauses add up to `seconds`: 25 to 90 ms apart, and now and then half a second.

    Words of one to four bytes a character, mistakes taken back, whole completions accepted. The
    characters are such that any text of the scripted models may follow.
    """
    chance = random.Random(seed)
    passed = 0.0
    for name in _endless(chance):
        slow = name == ACCEPT or chance.random() < 0.02
        pause = chance.uniform(0.4, 0.7) if slow else chance.uniform(0.025, 0.09)
        passed += pause
        if passed > seconds:
            return
        yield Key(name, pause)


def _endless(chance: random.Random) -> Iterator[str]:
    while True:
        for _ in range(chance.randint(1, 5)):
            yield from chance.choice(_WORDS)
            if chance.random() < 0.3:
                yield from (BACKSPACE, chance.choice("aeiou"))
            if chance.random() < 0.25:
                yield ACCEPT
            if chance.random() < 0.1:
                yield _ASTRAL
            yield from chance.choice(_GLUE)
        yield "z"
        yield NEWLINE
