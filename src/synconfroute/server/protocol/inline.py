"""`textDocument/inlineCompletion`: from a request to an item, or to null."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from lsprotocol import types

from synconfroute.server.completion.answer import Answer, Provenance
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.completer import Completer
from synconfroute.server.protocol.documents import Document, Documents
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.items import inline_item, no_items
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.turns import Turn, Turns


@dataclass(frozen=True)
class Asked:
    """A request, tied to the document as it was when the request came."""

    params: types.InlineCompletionParams
    document: Document
    turn: Turn


class InlineCompletion:
    """Answers inline completion requests."""

    def __init__(
        self,
        documents: Documents,
        turns: Turns,
        completer: Callable[[], Completer | None],
        report: Callable[[Provenance], None],
    ) -> None:
        """Answer from `documents`; every answer's provenance goes to `report`."""
        self._documents = documents
        self._turns = turns
        self._completer = completer
        self._report = report

    def arrived(self, params: types.InlineCompletionParams) -> Asked | None:
        """Take a request's turn at once, so that an edit read after it counts as later.

        None if the document is not open.
        """
        document = self._documents.get(params.text_document.uri)
        if document is None:
            return None
        return Asked(params, document, self._turns.enter(document.key))

    async def answer(self, asked: Asked | None) -> types.InlineCompletionList | None:
        """The item; no item if there is nothing to show; null if the request is out of date.

        Editors show an error message for any error, so a fault is logged and answered with null.

        Raises:
            asyncio.CancelledError: the editor cancelled the request; the model stream is closed.
        """
        if asked is None:
            return None
        # Cancellations and edits that already wait in the pipe come first.
        await asyncio.sleep(0)
        try:
            return await self._turns.run(asked.turn, lambda: self._complete(asked))
        except Exception as error:
            logger.error("No completion, because of a fault: %s", describe(error))
            return None

    async def _complete(self, asked: Asked) -> types.InlineCompletionList | None:
        completer = self._completer()
        if completer is None:
            return None
        started = time.perf_counter()
        hole, replaced, lead = _hole_of(asked)
        answer = await completer.complete(hole)
        _log(answer, hole, started)
        self._report(answer.provenance)
        if not answer.text:
            return no_items()
        item = inline_item(lead + answer.text, replaced, answer.provenance.request_id)
        return types.InlineCompletionList(items=[item])


def _hole_of(asked: Asked) -> tuple[Hole, types.Range, str]:
    """The hole, the range that the item replaces, and the text that it begins with."""
    context, document = asked.params.context, asked.document
    explicit = context.trigger_kind is types.InlineCompletionTriggerKind.Invoked
    chosen = context.selected_completion_info
    if chosen is None:
        cursor = document.clamped(asked.params.position)
        hole = document.hole(cursor, explicit=explicit)
        return hole, types.Range(cursor, cursor), ""
    # The editor previews an entry of its own list: only text that goes on from it can be shown.
    hole = document.hole_for(chosen.range, chosen.text, explicit=explicit)
    return hole, chosen.range, chosen.text


def _log(answer: Answer, hole: Hole, started: float) -> None:
    made = answer.provenance
    logger.info(
        "answer %s: shown=%s language=%s whole=%s tier=%s model=%s confidence=%s verdict=%s"
        " reason=%s tokens=%d discarded=%d ms=%.0f%s",
        made.request_id,
        bool(answer.text),
        hole.language,
        hole.whole,
        made.tier,
        made.model,
        None if made.confidence is None else f"{made.confidence:.3f}",
        made.verdict,
        made.reason,
        made.tokens_generated,
        made.tokens_discarded,
        (time.perf_counter() - started) * 1000,
        f" problem={made.problem}" if made.problem else "",
    )
