"""What a session comes to: calls, tokens, and how long shown texts took beyond the model's time."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.model.record import Generation
from benchmarks.trace.knowing import pieces
from benchmarks.trace.typist import Log

_BEHIND = 200
"""A text that was asked for is looked for so many typed characters behind its place."""


@dataclass(frozen=True, slots=True)
class Made:
    """A generation, and where its text goes.

    Attributes:
        generation: as the model server recorded it.
        left: the end of what stood left of its place.
    """

    generation: Generation
    left: str


@dataclass(frozen=True, slots=True)
class Account:
    """What sessions come to, all together.

    Attributes:
        keys: keys struck, and texts taken.
        calls: generations asked for.
        generated: tokens of all of them, until each was closed.
        shown: tokens of those of which anything was shown, as far as it was shown.
        accepted: tokens of the texts that were taken.
        texts: texts that were taken.
        characters: characters of them, without the white space around a line.
        added_ms: of each shown text that a key led to: from that key to the text, without the
            time that the model took for its tokens.
        waited_ms: of each shown text: from the last key to the text.
        seconds: how long the typing took.
        typed_alone: how long it takes where nothing is shown.
    """

    keys: int = 0
    calls: int = 0
    generated: int = 0
    shown: int = 0
    accepted: int = 0
    texts: int = 0
    characters: int = 0
    added_ms: tuple[float, ...] = ()
    waited_ms: tuple[float, ...] = ()
    seconds: float = 0.0
    typed_alone: float = 0.0

    @property
    def thrown_away(self) -> int:
        """Tokens that were generated and not taken."""
        return self.generated - self.accepted

    @property
    def never_shown(self) -> int:
        """Tokens that were generated and that nobody saw."""
        return self.generated - self.shown

    @property
    def thrown_per_character(self) -> float | None:
        """Tokens thrown away for each character taken; None where none was."""
        return self.thrown_away / self.characters if self.characters else None

    def __add__(self, other: "Account") -> "Account":
        return Account(
            *(
                getattr(self, name) + getattr(other, name)
                for name in self.__dataclass_fields__  # both tuples and numbers add
            )
        )


def account(
    log: Log,
    made: Sequence[Made],
    *,
    before: str,
    first: float,
    following: float,
    typed_alone: float,
) -> Account:
    """Count a session.

    Args:
        log: what the typist did and saw.
        made: all generations of the session.
        before: what stands above the text that is typed.
        first: what the model takes to the first token, in seconds.
        following: what it takes from one token to the next, in seconds.
        typed_alone: how long the typing takes where nothing is shown, in seconds.
    """
    shown: dict[int, int] = {}
    added: list[float] = []
    waited: list[float] = []
    for seen in log.seen:
        if seen.at < log.keys[0][0]:
            continue
        waited.append((seen.at - _last_key(log, seen.at)) * 1000)
        found = _source(before + seen.left, seen.text, seen.at, made)
        if found is None:
            continue
        source, tokens = found
        number = source.generation.number
        if number not in shown and _was_typed(before, log, source):
            model = first + (tokens - 1) * following
            key = _last_key(log, source.generation.came)
            added.append((seen.at - key - model) * 1000)
        shown[number] = max(shown.get(number, 0), tokens)
    accepted = 0
    for taken in log.taken:
        found = _source(before + taken.left, taken.text, taken.at, made)
        typed = len(pieces(taken.text))
        accepted += typed if found is None else min(typed, found[0].generation.tokens)
    return Account(
        keys=len(log.keys),
        calls=len(made),
        generated=sum(each.generation.tokens for each in made),
        shown=sum(shown.values()),
        accepted=accepted,
        texts=len(log.taken),
        characters=sum(_visible(taken.text) for taken in log.taken),
        added_ms=tuple(added),
        waited_ms=tuple(waited),
        seconds=log.seconds,
        typed_alone=typed_alone,
    )


def _visible(text: str) -> int:
    """Characters that somebody would have had to type: the editor indents by itself."""
    return sum(len(line.strip()) for line in text.split("\n")) + text.count("\n")


def _last_key(log: Log, moment: float) -> float:
    """When the last key before a moment was struck."""
    return max(at for at, _ in log.keys if at <= moment)


def _was_typed(before: str, log: Log, made: Made) -> bool:
    """Did what the generation was asked for stand in the document then, by a key? Else: made ahead.

    But for the indentation of the cursor's line, which some leave to the model and some add.
    """
    stood = [left for at, left in log.keys if at <= made.generation.came]
    if not stood:
        return False
    whole = before + stood[-1]
    return whole.rstrip(" \t").endswith(made.left.rstrip(" \t"))


def _source(left: str, text: str, moment: float, made: Sequence[Made]) -> tuple[Made, int] | None:
    """The newest generation that a text comes from, and how many of its tokens that takes."""
    for each in reversed(made):
        if each.generation.came > moment:
            continue
        for behind in range(min(_BEHIND, len(left)) + 1):
            place, typed = left[: len(left) - behind], left[len(left) - behind :]
            whole = typed + text
            if place.endswith(each.left) and each.generation.text.startswith(whole):
                return each, _tokens_for(each.generation.text, len(whole))
    return None


def _tokens_for(text: str, characters: int) -> int:
    """How many tokens of a text its first characters take."""
    length = count = 0
    for piece in pieces(text):
        if length >= characters:
            break
        length += len(piece)
        count += 1
    return count
