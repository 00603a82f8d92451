"""What becomes of the completions that an editor is given.

Texts are held in memory for a minute at most after they were accepted; only numbers are kept.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.counts import Event, Source

LOOK_BACK_S = 60.0
"""So long after a text was accepted the document is looked at again, in seconds."""

_REFUSED = (Reason.SHADOW, Reason.REFUSED_POLICY, Reason.REFUSED_BREAKER)
_MOST = 100
"""So many texts are held at most, of those offered and of those accepted."""


@dataclass(slots=True)
class _Offer:
    """A text that the editor was given.

    Attributes:
        document: where.
        text: all of it.
        item: what of it the editor was given last, with what it replaces.
        source: who made it, for which language.
        further: it was not the first of several.
        shown: it was counted as shown.
        partly: a part of it was taken.
    """

    document: str
    text: str
    item: str
    source: Source
    further: bool
    shown: bool = False
    partly: bool = False


@dataclass(frozen=True, slots=True)
class _Unused:
    """What a model made that no editor was given yet: its tokens; was it asked for ahead?"""

    tokens: int
    ahead: bool


class Feedback:
    """Counts what the user does with what is shown."""

    def __init__(
        self,
        count: Callable[[Source, str, int], None],
        read: Callable[[str], str | None],
        clock: Callable[[], float] = time.monotonic,
        on_org_shown: Callable[[str], None] = lambda _request_id: None,
    ) -> None:
        """Count by source.

        Args:
            count: told of each event or wait, and how often.
            read: a document's text now, with line feeds; None if it cannot be told.
            on_org_shown: told the request's id when a text of the organisation's model is shown.
            clock: seconds.
        """
        self._count = count
        self._read = read
        self._clock = clock
        self._on_org_shown = on_org_shown
        self._editor_tells = False
        self._unused: OrderedDict[str, _Unused] = OrderedDict()
        self._offers: OrderedDict[str, _Offer] = OrderedDict()
        self._visible: dict[str, dict[str, str]] = {}
        self._accepted: deque[tuple[float, _Offer]] = deque(maxlen=_MOST)

    def made(self, language: str, made: Provenance) -> None:
        """A model was asked; `made` is what it came to, also where nobody waits for that."""
        source = Source.of(made, language)
        if made.reading:
            self._count(source, Event.READ, 1)
            self._count(source, Event.GENERATED, made.tokens_generated)
            return
        if made.ahead:
            self._count(source, Event.AHEAD, 1)
            self._count(source, Event.AHEAD_GENERATED, made.tokens_generated)
        elif not made.alternative:
            self._count(source, Event.ASKED, 1)
        if "org_sent" in made.timings_ms and made.reason not in _REFUSED:
            self._count(source, Event.SENT, 1)
        if made.org_problem:
            self._count(source, Event.LEFT_ALONE, 1)
        if made.unrecorded:
            self._count(source, Event.UNRECORDED, 1)
        self._count(source, Event.GENERATED, made.tokens_generated)
        tokens = made.tokens_generated - made.tokens_discarded
        self._unused[made.request_id] = _Unused(tokens, made.ahead)
        _bound(self._unused)

    def offered(
        self, document: str, language: str, answer: Answer, wait: str, *, lead: str = ""
    ) -> None:
        """An editor was given an answer.

        Args:
            document: its key.
            language: LSP language id.
            answer: with all its texts.
            wait: how long it took, a `cell`.
            lead: what stands before each text in the editor's items.
        """
        if not answer.text:
            return
        self._count(Source.of(answer.provenance, language), wait, 1)
        visible = {}
        for one in (answer, *answer.others):
            text, request_id = one.text or "", one.provenance.request_id
            offer = self._offers.get(request_id)
            if offer is None:
                offer = self._first_offer(document, language, one)
            offer.item = lead + text
            visible[request_id] = text
        self._visible[document] = visible
        if not self._editor_tells:
            self._seen(answer.provenance.request_id)

    def shown(self, request_id: str) -> None:
        """The editor says that it shows an item. One that says so is believed from then on."""
        self._editor_tells = True
        self._seen(request_id)

    def inserted(self, document: str, text: str) -> None:
        """A text was put into a document at once, or "" where something else was done to it."""
        visible = self._visible.pop(document, {})
        if len(text) <= 1:  # a single character is a key
            return
        for request_id, whole in visible.items():
            if whole == text:
                self.accepted(request_id)
                return
            if whole.startswith(text):
                self._part(request_id)
                return

    def partly_accepted(self, request_id: str, length_utf16: int) -> None:
        """The editor says that the user took the item's first so many UTF-16 code units.

        All of them count as accepted.
        """
        offer = self._offers.get(request_id)
        if offer is None or length_utf16 <= 0:
            return
        if length_utf16 >= len(offer.item.encode("utf-16-le", "surrogatepass")) // 2:
            self.accepted(request_id)
        else:
            self._part(request_id)

    def accepted(self, request_id: str) -> None:
        """The user took it. Counts once."""
        self._seen(request_id)
        offer = self._offers.pop(request_id, None)
        if offer is not None:
            self._count(offer.source, Event.ACCEPTED, 1)
            if offer.further:
                self._count(offer.source, Event.FURTHER, 1)
            self._accepted.append((self._clock() + LOOK_BACK_S, offer))

    def look_back(self) -> None:
        """Look whether what was accepted a while ago is still there."""
        while self._accepted and self._accepted[0][0] <= self._clock():
            _, offer = self._accepted.popleft()
            text = self._read(offer.document)
            if text is not None:
                kept = offer.text.strip() in text
                self._count(offer.source, Event.KEPT if kept else Event.GONE, 1)

    def forget(self, document: str) -> None:
        """A document was closed: nothing is visible in it."""
        self._visible.pop(document, None)

    def _first_offer(self, document: str, language: str, answer: Answer) -> _Offer:
        text, made = answer.text or "", answer.provenance
        source = Source.of(made, language)
        offer = _Offer(document, text, text, source, further=made.alternative > 0)
        self._offers[made.request_id] = offer
        _bound(self._offers)
        unused = self._unused.pop(made.request_id, None)
        if unused is not None:
            self._count(source, Event.USED, unused.tokens)
            if unused.ahead:
                self._count(source, Event.ASKED, 1)
                self._count(source, Event.AHEAD_USED, 1)
                self._count(source, Event.AHEAD_USED_TOKENS, unused.tokens)
        return offer

    def _seen(self, request_id: str) -> None:
        offer = self._offers.get(request_id)
        if offer is not None and not offer.shown:
            offer.shown = True
            self._count(offer.source, Event.SHOWN, 1)
            if offer.source.tier == Tier.ORG:
                self._on_org_shown(request_id)

    def _part(self, request_id: str) -> None:
        self._seen(request_id)
        offer = self._offers.get(request_id)
        if offer is not None and not offer.partly:
            offer.partly = True
            self._count(offer.source, Event.PARTLY, 1)


def _bound(held: "OrderedDict[str, _Offer] | OrderedDict[str, _Unused]") -> None:
    """Forget the oldest where there are too many."""
    while len(held) > _MOST:
        held.popitem(last=False)
