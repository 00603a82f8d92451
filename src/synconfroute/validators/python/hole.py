"""A hole in a buffer: what stands around it, and what the text behind it needs."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synconfroute.validators.python import outline
from synconfroute.validators.python.history import History, Patch
from synconfroute.validators.python.lexing import CLEAR, Lines, State, lines_of, scan, tokens
from synconfroute.validators.python.long_lines import LONG, cut_head, cut_tail
from synconfroute.validators.python.outline import Item

_OPENER = {")": "(", "]": "[", "}": "{"}
_NO_CODE = re.compile(r"(?:\s++|#[^\n]*+)*+")


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


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a buffer, and the outline around it.

    Attributes:
        above: what the hole's logical line stands under.
        head: that logical line up to the hole, from its first column.
        rest: the rest of the hole's line behind it, where an insertion is followed by it.
        tail: what goes on behind that line, up to the next logical line; begins with a line break.
        below: the logical lines that follow, in outline.
        need: what must be open at the end of the hole's line.
        base: brackets that are open at the end of the sound text before the hole, as in `Need`.
        old: what stood in the place of the hole's lines when the buffer last parsed.
        levels: if the buffer is broken, all indentations in use around the hole, in columns.
    """

    above: tuple[Item, ...]
    head: str
    rest: str
    tail: str
    below: tuple[Item, ...]
    need: Need
    base: tuple[int, ...]
    old: str
    levels: frozenset[int]


def holes_in(history: History, cursor: int, *, whole_line: bool) -> Iterator[Hole]:
    """The hole at a place of the buffer; if that is broken, all that it may be.

    Args:
        history: the buffer.
        cursor: the place.
        whole_line: does what is inserted end with a line break, so that the rest of the hole's
            line becomes a line of its own?
    """
    text = history.text
    line = text.rfind("\n", 0, cursor) + 1
    end = cursor if whole_line else _line_end(text, cursor)
    typed = history.sound and any(patch.end == line for patch in history.patches)
    for lines in _readings(history, line):
        place = _logical(text, lines, line)
        within = _unclosed(text, lines, place, line) if typed or not history.sound else None
        if within is None or not typed:
            yield _hole(history, lines, cursor, end, place)
        if within is not None:
            yield _hole(history, lines, cursor, end, within)


def _unclosed(
    text: str, lines: Lines, place: tuple[int, int, State], line: int
) -> tuple[int, int, State] | None:
    """The logical line above a place, if it has a bracket open; see `_logical`."""
    index, start, _ = place
    if start != line or index == 0:
        return None
    start = lines.starts[index - 1]
    state = scan(text, start, line)
    return (index - 1, start, state) if state.brackets else None


def _readings(history: History, line: int) -> Iterator[Lines]:
    """The logical lines of the buffer, if a string is open where a line begins, and if not."""
    stray = history.open_string(line)
    if stray is not None:
        lines = lines_of(history.text, careful=True, stray=stray)
        yield _without(lines, stray, line)
    yield history.lines


def _hole(
    history: History, lines: Lines, cursor: int, end: int, place: tuple[int, int, State]
) -> Hole:
    """The hole between a cursor and the end of its line; for `place` see `_logical`."""
    text = history.text
    index, start, state = place
    line = text.rfind("\n", 0, cursor) + 1
    after = bisect_left(lines.starts, end)
    if not history.sound and _unmatched(text, *_span(text, lines, after)):
        after += 1
    next_start = _span(text, lines, after)[0]
    patch = _patch_at(history, line, end)
    need = Need()
    base: tuple[int, ...] = ()
    if patch is not None:
        need, base = _known_need(text, lines, patch, start)
    if patch is None or patch.settled:
        state = scan(text, line, end, state)
        need = _seen_need(text, start, state, end, next_start, sound=history.sound)
    above = outline.above(text, lines, index)
    hole = Hole(
        above=tuple(above),
        head=text[start:cursor],
        rest=text[cursor:end],
        tail=_tail(text, start, end, next_start, need),
        below=tuple(outline.below(text, lines, after, outline.floor_of(above))),
        need=need,
        base=base,
        old=patch.old if patch else "",
        levels=frozenset() if history.sound else outline.levels(lines, index, after),
    )
    return _shortened(hole, min(line, max(patch.start, start) if patch else line) - start)


def _shortened(hole: Hole, end: int) -> Hole:
    """The hole with a shorter head, if that is long; what stands before `end` is sound."""
    if end <= LONG:
        return hole
    head = cut_head(hole.head, 0, end)
    shift = len(head.text) - end
    kept, base = (
        tuple(head.moved[at] if at < end else at + shift for at in places)
        for places in (hole.need.kept, hole.base)
    )
    return replace(
        hole, head=head.text + hole.head[end:], need=replace(hole.need, kept=kept), base=base
    )


def _tail(text: str, start: int, end: int, next_start: int, need: Need) -> str:
    if need.nothing:
        tail = text[end:next_start]
        return "\n" if _NO_CODE.fullmatch(tail) else tail
    if need.quote:
        return text[end:next_start]
    opened = "".join(text[start + at] for at in need.kept) + need.opened
    tail = cut_tail(text, end, next_start, opened)
    header = len(tail) < next_start - end and outline.is_header(outline.first_word(text, start))
    return f"{tail}:" if header else tail


def _without(lines: Lines, stray: int, line: int) -> Lines:
    """The lines without those that are in the string that begins at `stray` and goes on there."""
    first = bisect_right(lines.starts, stray)
    last = bisect_right(lines.starts, line)
    return Lines(
        lines.starts[:first] + lines.starts[last:], lines.indents[:first] + lines.indents[last:]
    )


def _logical(text: str, lines: Lines, line: int) -> tuple[int, int, State]:
    """The logical line that the line starting here is or would be of.

    Returns:
        its number, its start, and what is open where the line starts.
    """
    index = bisect_right(lines.starts, line) - 1
    if index < 0:
        return 0, line, CLEAR
    start = lines.starts[index]
    state = scan(text, start, line)
    if start == line or state.within or text.endswith("\\\n", start, line):
        return index, start, state
    return index + 1, line, CLEAR


def _span(text: str, lines: Lines, index: int) -> tuple[int, int]:
    """Where the logical line of this number begins and ends."""
    starts = [*lines.starts[index : index + 2], len(text), len(text)]
    return starts[0], starts[1]


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _patch_at(history: History, line: int, end: int) -> Patch | None:
    """The patch that the hole's line touches, if it is known what stood there."""
    if not history.sound:
        return None
    for patch in history.patches:
        if patch.start <= end and line <= patch.end:
            return patch
    return None


def _known_need(text: str, lines: Lines, patch: Patch, start: int) -> tuple[Need, tuple[int, ...]]:
    """What the text behind a patch needs: what was open there when the buffer last parsed."""
    _, begin, before = _logical(text, lines, patch.start)
    shift = patch.start - begin
    context = text[begin : patch.start] + patch.old
    state = scan(context, 0, len(context))
    if begin != start:
        return Need((), "".join(context[at] for at in state.brackets), state.quote), ()
    kept = tuple(at for at in state.brackets if at < shift)
    opened = "".join(context[at] for at in state.brackets if at >= shift)
    return Need(kept, opened, state.quote), tuple(at - begin for at in before.brackets)


def _seen_need(
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
    needed = [_OPENER[closer] for closer in reversed(_unmatched(text, end, next_start))]
    kept = 0
    while kept < min(len(needed), len(places)) and text[state.brackets[kept]] == needed[kept]:
        kept += 1
    return Need(places[:kept], "".join(needed[kept:]))


def _unmatched(text: str, start: int, end: int) -> list[str]:
    """The closing brackets between two places that close nothing between them."""
    depth = 0
    found = []
    for token in tokens(text, start, end):
        if token.kind in "([{":
            depth += 1
        elif token.kind in ")]}":
            if depth:
                depth -= 1
            else:
                found.append(token.kind)
    return found
