"""What must be open where the text behind a hole begins."""

from dataclasses import dataclass

from synconfroute.validators.python.history import Patch
from synconfroute.validators.python.lexing import State, marks, scan
from synconfroute.validators.python.lines import Lines
from synconfroute.validators.python.long_lines import cut_head
from synconfroute.validators.python.place import place_of

_OPENER = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Need:
    """What must be open where the text behind the hole begins.

    Attributes:
        kept: open brackets from before the hole; places relative to the hole's head.
        opened: further brackets that must be open, the outermost first, such as "([".
        quote: the quotes of the string that the text behind begins in, or "".
    """

    kept: tuple[int, ...] = ()
    opened: str = ""
    quote: str = ""

    @property
    def nothing(self) -> bool:
        """Does the text behind begin a statement?"""
        return not (self.kept or self.opened or self.quote)


def known_need(text: str, lines: Lines, patch: Patch, start: int) -> tuple[Need, tuple[int, ...]]:
    """What the text behind a patch needs: what was open there when the buffer last parsed."""
    _, begin, _ = place_of(text, lines, patch.start)
    head = cut_head(text[begin : patch.start])
    context = head.text + patch.old
    state = scan(context, 0, len(context))
    if begin != start:
        return Need((), "".join(context[at] for at in state.brackets), state.quote), ()
    whole = {short: at for at, short in head.moved.items()}
    kept = tuple(whole[at] for at in state.brackets if at < len(head.text))
    opened = "".join(context[at] for at in state.brackets if at >= len(head.text))
    return Need(kept, opened, state.quote), tuple(head.moved)


def seen_need(
    text: str, start: int, state: State, end: int, next_start: int, *, sound: bool
) -> Need:
    """What the text behind a hole needs, as far as it shows.

    Args:
        text: the buffer.
        start: where the hole's logical line begins.
        state: what is open at the end of the hole's line, before anything is inserted.
        end: that end.
        next_start: where the next logical line begins.
        sound: is the buffer code?
    """
    places = tuple(at - start for at in state.brackets)
    if state.quote and (sound or text.find(state.quote, end, next_start) >= 0):
        return Need(places, "", state.quote)
    if sound:
        return Need(places)
    needed = [_OPENER[closer] for closer in reversed(unmatched(text, end, next_start))]
    kept = 0
    while kept < min(len(needed), len(places)) and text[state.brackets[kept]] == needed[kept]:
        kept += 1
    return Need(places[:kept], "".join(needed[kept:]))


def unmatched(text: str, start: int, end: int) -> list[str]:
    """The closing brackets between two places that close nothing between them."""
    depth = 0
    found = []
    for kind, _ in marks(text, start, end):
        if kind in "([{":
            depth += 1
        elif kind in ")]}":
            if depth:
                depth -= 1
            else:
                found.append(kind)
    return found
