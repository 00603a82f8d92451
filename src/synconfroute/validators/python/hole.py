"""A hole in a buffer: what stands around it, and what the text behind it needs."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synconfroute.validators.python import outline
from synconfroute.validators.python.history import History, Patch
from synconfroute.validators.python.lexing import scan
from synconfroute.validators.python.lines import Lines
from synconfroute.validators.python.long_lines import Head, cut_head, cut_tail
from synconfroute.validators.python.needs import Need, known_need, seen_need, unmatched
from synconfroute.validators.python.outline import Item
from synconfroute.validators.python.place import Place, place_of, place_within, span_of
from synconfroute.validators.python.reading import lines_of

_NO_CODE = re.compile(r"(?:\s++|#[^\n]*+)*")


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
        place = place_of(text, lines, line)
        within = place_within(text, lines, place, line) if typed or not history.sound else None
        if within is None or not typed:
            yield _hole(history, lines, cursor, end, place)
        if within is not None:
            yield _hole(history, lines, cursor, end, within)


def _readings(history: History, line: int) -> Iterator[Lines]:
    """The logical lines of the buffer, if a string is open where a line begins, and if not."""
    stray = history.open_string(line)
    if stray is not None:
        lines = lines_of(history.text, careful=True, stray=stray)
        yield _without(lines, stray, line)
    yield history.lines


def _hole(history: History, lines: Lines, cursor: int, end: int, place: Place) -> Hole:
    """The hole between a cursor and the end of its line."""
    text = history.text
    index, start, state = place
    line = text.rfind("\n", 0, cursor) + 1
    after = bisect_left(lines.starts, end)
    if not history.sound and unmatched(text, *span_of(text, lines, after)):
        after += 1
    next_start = span_of(text, lines, after)[0]
    patch = _patch_at(history, line, end)
    need = Need()
    base: tuple[int, ...] = ()
    if patch is not None:
        need, base = known_need(text, lines, patch, start)
    if patch is None or patch.settled:
        state = scan(text, line, end, state)
        need = seen_need(text, start, state, end, next_start, sound=history.sound)
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
    sound_end = min(line, max(patch.start, start)) if patch else line
    return _shortened(hole, cut_head(text[start:sound_end]), sound_end - start)


def _shortened(hole: Hole, head: Head, end: int) -> Hole:
    """The hole with a shorter head: what stands before `end` of it is cut."""
    shift = len(head.text) - end
    if not shift:
        return hole
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
