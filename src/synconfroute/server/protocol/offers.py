"""What editors were given last, and where: does it stand in the document now?"""

from collections import OrderedDict
from dataclasses import dataclass

from lsprotocol import types

from synconfroute.server.completion.answer import Answer
from synconfroute.server.protocol.documents import Document

_MOST = 16
"""So many documents' offers are held at most; one document has one."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """One answer.

    Attributes:
        at: where its texts go.
        texts: by their request ids.
    """

    at: types.Position
    texts: dict[str, str]


class Offers:
    """The newest offer of each document."""

    def __init__(self) -> None:
        self._offers: OrderedDict[str, _Offer] = OrderedDict()

    def add(self, document: str, at: types.Position, lead: str, answer: Answer) -> None:
        """An editor was given an answer for a place, to stand behind what it previews there."""
        texts = {
            each.provenance.request_id: lead + (each.text or "")
            for each in (answer, *answer.others)
        }
        self._offers.pop(document, None)
        self._offers[document] = _Offer(at, texts)
        if len(self._offers) > _MOST:
            self._offers.popitem(last=False)

    def document_of(self, request_id: str) -> str | None:
        """The key of the document that a text is on offer for."""
        return next((key for key, offer in self._offers.items() if request_id in offer.texts), None)

    def taken(self, document: Document) -> types.Position | None:
        """Where an offered text ends that stands in its document; it is on offer no more then.

        Of several the longest. None where none does.
        """
        offer = self._offers.get(document.key)
        if offer is None:
            return None
        for text in sorted(offer.texts.values(), key=len, reverse=True):
            end = document.end_of(text, offer.at)
            if end is not None:
                del self._offers[document.key]
                return end
        return None
