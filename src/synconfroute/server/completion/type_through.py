"""Texts that were made already: whoever types along one gets its rest without a model.

A text goes on as long as what the user typed behind its place is its beginning; a step back goes
back in it. Closers that the editor put behind the cursor meanwhile count as typed where the text
ends with them. Its place is the document, the model, and what stands around. All is in memory only.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b

from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.hole import Hole

MOST_TEXTS = 250
MOST_CHARACTERS = 250_000
"""Of all texts together; those that were not used for longest go first."""
LONGEST = 2_000
"""A longer text is not kept, in characters."""

AROUND = 16 * 1024
"""What stands around a place: so many characters on each side, more than a prompt takes."""
_NEAR = 64
"""Characters before a place by which a text is found; then all of `AROUND` is compared."""

_CLOSERS = ")]}\"'`"
_MOST_CLOSED = 4
"""Editors close what is opened; deeper than this nobody looks."""

_Where = tuple[str, str, str, bytes]
"""Document, language, model, and digest of what stands behind."""
_Place = tuple[_Where, str]
"""And what stands right before."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What was made for one place.

    Attributes:
        answer: its texts and where they came from.
        before: digest of what stood before its place.
        explicit: the user had asked for it.
        longest: the length of its longest text.
        size: the characters of all its texts.
    """

    answer: Answer
    before: bytes
    explicit: bool
    longest: int
    size: int


class TypeThrough:
    """The texts that were made or used last."""

    def __init__(
        self, most_texts: int = MOST_TEXTS, most_characters: int = MOST_CHARACTERS
    ) -> None:
        """Keep at most `most_texts`, and of all of them at most `most_characters`."""
        self._most_texts = most_texts
        self._most_characters = most_characters
        self._made: OrderedDict[_Place, _Made] = OrderedDict()
        self._near: dict[_Where, set[str]] = {}
        self._characters = 0

    def __len__(self) -> int:
        """How many texts are kept."""
        return len(self._made)

    def add(self, hole: Hole, model: str, answer: Answer) -> None:
        """Keep what `model` made for a hole, if there is something to show."""
        texts = [each for each in (answer, *answer.others) if _worth_keeping(each)]
        if not texts:
            return
        lengths = [len(each.text or "") for each in texts]
        where, near = place = _where(hole, model, 0), _near(hole, len(hole.prefix))
        if place in self._made:
            self._drop(place)
        before = _before(hole, len(hole.prefix))
        together = replace(texts[0], others=tuple(texts[1:]))
        made = _Made(together, before, hole.explicit, max(lengths), sum(lengths))
        self._made[place] = made
        self._near.setdefault(where, set()).add(near)
        self._characters += made.size
        while len(self._made) > self._most_texts or self._characters > self._most_characters:
            self._drop(next(iter(self._made)))

    def find(self, hole: Hole, model: str) -> Answer | None:
        """The rest of a text made here, or where the user began to type along it: the nearest one.

        Of several texts made there, all that still fit. What was made unasked does not answer what
        the user asks for. None where nothing fits, or nothing visible is left.
        """
        closed = len(hole.right) - len(hole.right.lstrip(_CLOSERS))
        for count in range(min(closed, _MOST_CLOSED) + 1):
            rest = self._find(hole, model, count)
            if rest is not None:
                return rest
        return None

    def _find(self, hole: Hole, model: str, closed: int) -> Answer | None:
        """The same, if the first `closed` characters behind the cursor came with the typing."""
        prefix, closers = hole.prefix, hole.suffix[:closed]
        where = _where(hole, model, closed)
        in_reach = prefix[-LONGEST - _NEAR :]
        begun = [
            (end, (where, near))
            for near in self._near.get(where, ())
            if near in in_reach
            for end in _ends(near, prefix, self._made[where, near].longest)
        ]
        for end, place in sorted(begun, reverse=True):
            made = self._made[place]
            if hole.explicit and not made.explicit:
                continue
            rest = going_on(made.answer, prefix[end:], closers)
            if rest is not None and made.before == _before(hole, end):
                self._made.move_to_end(place)
                return rest
        return None

    def _drop(self, place: _Place) -> None:
        where, near = place
        self._characters -= self._made.pop(place).size
        self._near[where].remove(near)
        if not self._near[where]:
            del self._near[where]


def going_on(answer: Answer, typed: str, closers: str = "") -> Answer | None:
    """What is left of an answer between what was typed and the closers that came with that.

    Of several texts those are left that begin and end so. None where none does, or nothing visible
    is left.
    """
    rests = [_rest(each, typed, closers) for each in (answer, *answer.others)]
    left = [rest for rest in rests if rest is not None]
    return replace(left[0], others=tuple(left[1:])) if left else None


def _rest(answer: Answer, typed: str, closers: str) -> Answer | None:
    text = answer.text or ""
    rest = text[len(typed) : len(text) - len(closers)]
    if not text.startswith(typed) or not text.endswith(closers) or not rest.strip():
        return None
    made = replace(answer.provenance, reused=True, tokens_generated=0, tokens_discarded=0)
    return Answer(rest, made)


def _worth_keeping(answer: Answer) -> bool:
    text = answer.text or ""
    return bool(text.strip()) and len(text) <= LONGEST


def _ends(near: str, prefix: str, longest: int) -> Iterator[int]:
    """Where a text of so many characters at most can have been begun, right behind `near`."""
    if len(near) < _NEAR:  # the document begins there
        if prefix.startswith(near) and len(prefix) - len(near) <= longest:
            yield len(near)
        return
    least = max(0, len(prefix) - longest - _NEAR)
    at = prefix.rfind(near, least)
    while at >= 0:
        yield at + _NEAR
        at = prefix.rfind(near, least, at + _NEAR - 1)


def _where(hole: Hole, model: str, closed: int) -> _Where:
    behind = _digest(hole.suffix[closed : closed + AROUND])
    return hole.uri, hole.language, model, behind


def _near(hole: Hole, end: int) -> str:
    return hole.prefix[max(0, end - _NEAR) : end]


def _before(hole: Hole, end: int) -> bytes:
    return _digest(hole.prefix[max(0, end - AROUND) : end])


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
