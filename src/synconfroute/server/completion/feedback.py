"""What becomes of the completions that were shown.

Texts are held in memory for a minute at most after they were accepted; only numbers are kept.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.counts import Event

LOOK_BACK_S = 60.0
"""So long after a text was accepted the document is looked at again, in seconds."""

_MOST = 100
"""So many texts are held at most, of those shown and of those accepted."""


@dataclass(slots=True)
class _Shown:
    """A text that the editor was given.

    Attributes:
        document: where.
        text: all of it.
        source: who made it, for which language.
        partly: a part of it was taken.
    """

    document: str
    text: str
    source: str
    partly: bool = False


class Feedback:
    """Counts what the user does with what is shown."""

    def __init__(
        self,
        count: Callable[[str, Event], None],
        read: Callable[[str], str | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Count events by source.

        Args:
            count: told each.
            read: a document's text now, with line feeds; None if it cannot be told.
            clock: seconds.
        """
        self._count = count
        self._read = read
        self._clock = clock
        self._shown: OrderedDict[str, _Shown] = OrderedDict()
        self._visible: dict[str, tuple[str, str]] = {}
        self._accepted: deque[tuple[float, _Shown]] = deque(maxlen=_MOST)

    def shown(self, document: str, language: str, answer: Answer) -> None:
        """An editor was given an answer with a text."""
        made = answer.provenance
        if not answer.text:
            return
        if made.request_id not in self._shown:
            source = f"{made.tier}/{made.model}/{language}"
            self._shown[made.request_id] = _Shown(document, answer.text, source)
            self._count(source, Event.SHOWN)
            while len(self._shown) > _MOST:
                self._shown.popitem(last=False)
        self._visible[document] = made.request_id, answer.text

    def inserted(self, document: str, text: str) -> None:
        """A text was put into a document at once, or "" where something else was done to it."""
        request_id, visible = self._visible.pop(document, ("", ""))
        shown = self._shown.get(request_id)
        # A single character is a key, all of the text is reported by the editor.
        if shown is None or shown.partly or not 1 < len(text) < len(visible):
            return
        if visible.startswith(text):
            shown.partly = True
            self._count(shown.source, Event.PARTLY)

    def accepted(self, request_id: str) -> None:
        """The editor says that the user took it. Counts once."""
        shown = self._shown.pop(request_id, None)
        if shown is not None:
            self._count(shown.source, Event.ACCEPTED)
            self._accepted.append((self._clock() + LOOK_BACK_S, shown))

    def look_back(self) -> None:
        """Look whether what was accepted a while ago is still there."""
        while self._accepted and self._accepted[0][0] <= self._clock():
            _, shown = self._accepted.popleft()
            text = self._read(shown.document)
            if text is not None:
                kept = shown.text.strip() in text
                self._count(shown.source, Event.KEPT if kept else Event.GONE)

    def forget(self, document: str) -> None:
        """A document was closed: nothing is visible in it."""
        self._visible.pop(document, None)
