"""A model that knows the code which is being typed, but for words that nobody could guess.

Which words those are is drawn once for a passage: in place of one another name of the passage is
written until two of its letters are typed. So what is written at a place depends on the place
alone, not on who asks or how often, and a line is right where no such word is left in it. As models
do that complete code, it does not stop at a line's end but goes on to the end of the passage.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.model.script import Asked, Token
from benchmarks.trace.passages import Passage

GUESSED_WRONG = 0.4
"""The share of names that nobody could guess. With it about half of all rests of a line are right,
which is what a small model comes to."""
KNOWN_BY = 2
"""So many letters of such a name must stand, and it is known."""
TAIL = 160
"""So many characters left of the cursor tell the place."""
_MOST_SLIPPED = 4
"""Characters left of the cursor that may be wrong."""

_PIECE = re.compile(r"\n|[ \t]{2,}| ?[^\W\d_]{1,6}| ?\d{1,3}| ?_+| ?[^\w\s]{1,2}|\s")
_NAME = re.compile(r"(?<!\\)\b[^\W\d]\w*")
_KEPT = frozenset(
    [
        "and",
        "bool",
        "break",
        "const",
        "def",
        "default",
        "else",
        "end",
        "false",
        "float",
        "for",
        "if",
        "import",
        "in",
        "int",
        "is",
        "len",
        "list",
        "max",
        "min",
        "None",
        "not",
        "not",
        "or",
        "private",
        "public",
        "return",
        "self",
        "std",
        "string",
        "true",
        "void",
        "while",
    ]
)
"""Words of the languages: what stands in place of one would be no code, which models seldom do."""


def pieces(text: str) -> list[str]:
    """The tokens of a text: words of up to 6 letters with the blank before them, signs by two."""
    return _PIECE.findall(text)


@dataclass(frozen=True, slots=True)
class _Guess:
    """A name that is written wrong.

    Attributes:
        start: where it stands, in the whole text.
        end: where it ends.
        wrong: what is written in its place.
    """

    start: int
    end: int
    wrong: str


class Knowing:
    """Answers requests about one passage."""

    def __init__(self, passage: Passage, seed: str) -> None:
        """Draw the names that are guessed wrong; the same seed draws the same."""
        self._whole = passage.before + passage.text
        self._begin = len(passage.before)
        chance = random.Random(f"{seed} {passage.name}")
        self._guesses = tuple(_guesses(passage, chance))

    def answer(self, asked: Asked) -> Iterator[Token]:
        """What is written for a request."""
        return iter([Token(piece) for piece in pieces(self.text(asked.prefix))])

    def text(self, prefix: str) -> str:
        """All that is written behind a prefix; "" where it is none of the passage.

        A prefix that ends in slips is taken as if the right letters stood there.
        """
        found = self.place(prefix)
        if found is None:
            return ""
        written, at = "", found
        for guess in self._guesses:
            if at >= min(guess.start + KNOWN_BY, guess.end):
                continue
            written += self._whole[at : guess.start] + guess.wrong[max(0, at - guess.start) :]
            at = guess.end
        return written + self._whole[at:]

    def place(self, prefix: str) -> int | None:
        """How many characters of the whole text, what stands above included, a prefix is."""
        for slipped in range(_MOST_SLIPPED + 1):
            tail = prefix[: len(prefix) - slipped][-TAIL:]
            found = self._whole.rfind(tail)
            if tail and found >= 0:
                return min(found + len(tail) + slipped, len(self._whole))
        return None


def _guesses(passage: Passage, chance: random.Random) -> Iterator[_Guess]:
    """In the order in which they stand."""
    names = [word[0] for word in _NAME.finditer(passage.text) if word[0] not in _KEPT]
    begin = len(passage.before)
    for word in _NAME.finditer(passage.text):
        if word[0] in _KEPT or chance.random() >= GUESSED_WRONG:
            continue
        others = sorted({name for name in names if name[:KNOWN_BY] != word[0][:KNOWN_BY]})
        yield _Guess(begin + word.start(), begin + word.end(), chance.choice(others))
