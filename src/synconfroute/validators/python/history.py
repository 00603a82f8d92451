"""What a buffer held when it last parsed, and what has been edited since."""

from bisect import bisect_left
from dataclasses import dataclass, replace

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.python import outline
from synconfroute.validators.python.lexing import scan
from synconfroute.validators.python.lines import Lines
from synconfroute.validators.python.reading import begun, lines_of
from synconfroute.validators.python.syntax import parses

_CHEAP = 60_000
"""Characters of a buffer that may be parsed as a whole after an edit: 25 ms."""
_LONG_EDIT = 8_000


@dataclass(frozen=True, slots=True)
class Patch:
    """Whole lines that are not code, or not yet; all around them is as it was.

    Attributes:
        start: where they begin in the buffer.
        end: where they end in it.
        old: the lines that stood there when the buffer last parsed.
        settled: are they code after all? Such a patch is kept while it is the last one, since the
            user may be in the middle of replacing what stood there.
    """

    start: int
    end: int
    old: str
    settled: bool = False


class History:
    """One buffer through its edits. Each attribute is about the text as it is now.

    Attributes:
        text: what the buffer holds.
        lines: its logical lines; inside patches what can be made out of them.
        sound: has the buffer ever parsed? If not, what lies outside the patches may be broken too.
        patches: what was edited and does not parse yet, in order.
    """

    def __init__(self) -> None:
        self.text = ""
        self.lines = Lines()
        self.sound = True
        self.patches: list[Patch] = []
        self._unclosed = False

    def update(self, text: str) -> None:
        """The buffer holds this text now."""
        if text == self.text:
            return
        if not self.text:
            self._begin(text)
            return
        start, old_end, new_end = _edit(self.text, text)
        patch = self._merged(text, start, old_end, new_end)
        self.lines = _relined(self.lines, text, start, old_end, new_end)
        self.text = text
        self._settle(patch)

    def know(self, prefix: str, suffix: str) -> None:
        """The buffer holds these two texts now."""
        known = len(prefix) + len(suffix) == len(self.text)
        if not (known and self.text.startswith(prefix) and self.text.endswith(suffix)):
            self.update(prefix + suffix)

    def open_string(self, at: int) -> int | None:
        """Where a string begins that a place is in and that nothing closes; None if it is not.

        Looked for only in a buffer that never parsed: in others the patches tell.
        """
        if self.sound or not self._unclosed:
            return None
        state = scan(self.text, 0, at, careful=True)
        return state.quote_at if len(state.quote) == 3 else None

    def _begin(self, text: str) -> None:
        self.text = text
        self.sound = _whole(text)
        self.lines = lines_of(text, careful=not self.sound)
        self.patches = []
        self._look_for_strings()

    def _look_for_strings(self) -> None:
        self._unclosed = not self.sound and scan(self.text, 0, len(self.text)).quote != ""

    def _merged(self, text: str, start: int, old_end: int, new_end: int) -> Patch:
        """One patch of an edit and of those that it touches; moves the patches behind it.

        Lines that are by now what they were when the buffer last parsed are no part of it.
        """
        shift = new_end - old_end
        near = [patch for patch in self.patches if patch.start <= old_end and start <= patch.end]
        first = min([start, *(patch.start for patch in near)])
        last = max([old_end, *(patch.end for patch in near)])
        old = []
        at = first
        for patch in near:
            old += [self.text[at : patch.start], patch.old]
            at = patch.end
        old.append(self.text[at:last])
        merged = _without_common(Patch(first, last + shift, "".join(old)), text)
        moved = [
            Patch(patch.start + shift, patch.end + shift, patch.old)
            for patch in self.patches
            if patch.start > old_end
        ]
        self.patches = [p for p in self.patches if p.end < start] + [merged] + moved
        return merged

    def _settle(self, patch: Patch) -> None:
        """Forget a patch that is code by now, and all of them if the whole buffer is."""
        self.patches = [other for other in self.patches if other == patch or not other.settled]
        if self._healed(patch):
            self.patches[self.patches.index(patch)] = replace(patch, settled=True)
            following = bisect_left(self.lines.starts, patch.end)
            end = [*self.lines.starts[following : following + 1], len(self.text)][0]
            self.lines = _relined(self.lines, self.text, patch.start, end, end, careful=False)
        broken = sum(not other.settled for other in self.patches)
        doubtful = not self.sound or broken > 1 or patch.end - patch.start > _LONG_EDIT
        doubtful = doubtful and len(self.text) <= _CHEAP
        if (broken or not self.sound) and doubtful and _whole(self.text):
            self._begin(self.text)
        self._look_for_strings()

    def _healed(self, patch: Patch) -> bool:
        """Does the patch parse, with the logical lines that it is part of, where it stands?"""
        starts = self.lines.starts
        first = max(bisect_left(starts, patch.start + 1) - 1, 0)
        last = bisect_left(starts, patch.end)
        if not starts:
            return True
        begin = min(starts[first], patch.start)
        end = starts[last] if last < len(starts) else len(self.text)
        if end - begin > _LONG_EDIT:
            return False
        if scan(self.text, begin, end).within or self.text.endswith("\\\n", begin, end):
            return False
        above = outline.above(self.text, self.lines, first)
        below = outline.below(self.text, self.lines, last, outline.floor_of(above))
        inner = self.text[begin:end]
        region = "".join([*(i.text for i in above), inner, "\n", *(i.text for i in below)])
        try:
            return parses(region)
        except Undecidable:
            return False


def _without_common(patch: Patch, text: str) -> Patch:
    """The patch without the lines at its ends that are as they were."""
    start, old_end, new_end = _edit(patch.old, text[patch.start : patch.end])
    return Patch(patch.start + start, patch.start + new_end, patch.old[start:old_end])


def _whole(text: str) -> bool:
    try:
        return parses(text)
    except Undecidable:
        return False


def _edit(old: str, new: str) -> tuple[int, int, int]:
    """The whole lines in which two texts differ: their start, and their ends in old and new."""
    start = old.rfind("\n", 0, _common(old, new)) + 1
    same = _common_end(old, new, min(len(old), len(new)) - start)
    old_end, new_end = len(old) - same, len(new) - same
    if _begins_line(old, old_end, start) and _begins_line(new, new_end, start):
        return start, old_end, new_end
    more = (old.find("\n", old_end) + 1 or len(old)) - old_end
    return start, old_end + more, new_end + more


def _begins_line(text: str, at: int, start: int) -> bool:
    return at == start or text[at - 1] == "\n"


def _common(old: str, new: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(old: str, new: str, most: int) -> int:
    """How many characters two texts have in common at their end, at most so many."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _relined(
    lines: Lines, text: str, start: int, old_end: int, new_end: int, *, careful: bool = True
) -> Lines:
    """The logical lines of a text after an edit of whole lines."""
    kept = max(bisect_left(lines.starts, start) - 1, 0)
    moved = bisect_left(lines.starts, old_end)
    head = Lines(lines.starts[: kept + 1], lines.indents[: kept + 1])
    if not lines.starts or lines.starts[0] >= start:
        head = begun(text[:new_end])
        scan(text, 0, new_end, lines=head, careful=careful)
    else:
        joined = text.endswith("\\\n", 0, start)
        begin = start if joined else start - 1
        state = scan(text, head.starts[-1], begin)
        if state.comment >= 0:
            begin = state.comment
        scan(text, begin, new_end, state, head, careful=careful)
    shift = new_end - old_end
    head.starts += [at + shift for at in lines.starts[moved:]]
    head.indents += lines.indents[moved:]
    return head
