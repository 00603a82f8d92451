"""What was decided last, in each document."""

from collections import OrderedDict

from synconfroute.server.completion.answer import Provenance

_MOST_DOCUMENTS = 200


class Decisions:
    """The newest provenance of each document. Holds no source code."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, Provenance] = OrderedDict()

    def note(self, document: str, made: Provenance) -> None:
        """Keep it in place of the document's older one."""
        self._last[document] = made
        self._last.move_to_end(document)
        while len(self._last) > _MOST_DOCUMENTS:
            self._last.popitem(last=False)

    def last(self, document: str | None = None) -> Provenance | None:
        """The newest of one document, or of all; None where nothing was decided."""
        if document is not None:
            return self._last.get(document)
        return next(reversed(self._last.values()), None)

    def forget(self, document: str) -> None:
        """The document was closed."""
        self._last.pop(document, None)
