"""A generation that runs, and what the user types at its place meanwhile.

As long as what is typed and what has come of the text agree, as far as both go, the text may still
become the answer for the newer place, and nothing need be asked anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from lsprotocol import types

from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.type_through import going_on
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.positions import Encoding, columns


class InFlight:
    """One generation.

    Attributes:
        typed: what was typed at its place since it was asked for.
    """

    def __init__(
        self,
        at: types.Position,
        encoding: Encoding,
        on_parting: Callable[[], None],
        *,
        explicit: bool,
        lead: str = "",
    ) -> None:
        """Follow what is typed from `at`; no model has been asked yet.

        Args:
            at: where the text will go.
            encoding: what its columns count.
            on_parting: called when the text turns out to be another than the one typed.
            explicit: the user asked for it.
            lead: what stands between there and the text, of an entry that the editor previews.
        """
        self.typed = ""
        self.explicit = explicit
        self._lead = lead
        self._previewed = ""
        self._line, self._column = at.line, at.character
        self._encoding = encoding
        self._on_parting = on_parting
        self._text: str | None = None
        self._parted = False

    @property
    def agrees(self) -> bool:
        """A model was asked, and its text may be what the user types."""
        return self._text is not None and not self._parted

    def meets(self, cursor: types.Position, previewed: str = "") -> bool:
        """May the text become the answer at a place, behind what the editor previews there?"""
        self._previewed = previewed
        return self.agrees and self._stands_at(cursor) and self._fits()

    def rest(self, answer: Answer) -> Answer | None:
        """What is left of the text that came, for the place that was asked about last."""
        before = self.typed + self._previewed
        if not self._lead and not before:
            return answer
        led = [
            replace(each, text=self._lead + each.text)
            for each in (answer, *answer.others)
            if each.text
        ]
        return going_on(replace(led[0], others=tuple(led[1:])), before) if led else None

    def _stands_at(self, position: types.Position) -> bool:
        """Is this where the typed text ends?"""
        return position == self._end()

    def grew(self, text: str) -> None:
        """The model has been asked ("") or its text has grown to this."""
        self._text = self._lead + text
        if not self._parted and not self._fits():
            self._parted = True
            self._on_parting()

    def follow(self, changes: Sequence[types.TextDocumentContentChangeEvent]) -> bool:
        """Take edits of the document. True if the text still agrees with what is typed."""
        self._previewed = ""
        for change in changes:
            typed = self._after(change)
            if typed is None:
                self._parted = True
                return False
            self.typed = typed
        self._parted = self._parted or not self._fits()
        return self.agrees

    def _after(self, change: types.TextDocumentContentChangeEvent) -> str | None:
        """What is typed after a change; None if it is elsewhere, or more than typing on or back."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            return None
        kept = self._typed_before(change.range.start)
        if kept is None or change.range.end != self._end():
            return None
        return kept + unix_line_ends(change.text)

    def _typed_before(self, place: types.Position) -> str | None:
        """What of the typed text stands before a place; None where that lies elsewhere."""
        lines = self.typed.split("\n")
        row = place.line - self._line
        if not 0 <= row < len(lines):
            return None
        begin = 0 if row else self._column
        if place.character < begin:
            return None
        kept = len(lines[row])
        while begin + columns(lines[row][:kept], self._encoding) > place.character:
            kept -= 1
        return "\n".join([*lines[:row], lines[row][:kept]])

    def _end(self) -> types.Position:
        *above, last = self.typed.split("\n")
        begin = 0 if above else self._column
        return types.Position(self._line + len(above), begin + columns(last, self._encoding))

    def _fits(self) -> bool:
        text, before = self._text or "", self.typed + self._previewed
        return text.startswith(before) or before.startswith(text)
