"""`textDocument/inlineCompletion`: from a request to an item, or to null."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lsprotocol import types

from synconfroute.server.completion.answer import Answer, Provenance, Reason
from synconfroute.server.completion.counts import Wait, cell
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.completer import Completer
from synconfroute.server.protocol.documents import Document, Documents
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.in_flight import InFlight
from synconfroute.server.protocol.items import inline_item, no_items
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.offers import Offers
from synconfroute.server.protocol.turns import Turn, Turns
from synconfroute.server.protocol.uris import key_of


@dataclass(frozen=True)
class Asked:
    """A request, tied to the document as it was when the request came.

    Attributes:
        params: what the editor sent.
        document: the document that it is about.
        cursor: the place, inside the document.
        turn: the claim to be answered.
        joined: the generation that runs already and may become the answer.
        previewed: what the editor previews behind the cursor, of an entry of its own list; None
            where the entry does not go on from what stands there.
        ahead: the editor did not ask; it is likely to ask next.
    """

    params: types.InlineCompletionParams
    document: Document
    cursor: types.Position
    turn: Turn
    joined: InFlight | None = None
    previewed: str | None = ""
    ahead: bool = False


class InlineCompletion:
    """Answers inline completion requests."""

    def __init__(
        self,
        documents: Documents,
        turns: Turns,
        completer: Callable[[], Completer | None],
        report: Callable[[str, Provenance], None],
        feedback: Feedback,
    ) -> None:
        """Answer from `documents`; `report` is told each answer's document and provenance."""
        self._documents = documents
        self._turns = turns
        self._completer = completer
        self._report = report
        self._feedback = feedback
        self._in_flight: dict[str, InFlight] = {}
        self._offers = Offers()
        self._ahead: dict[str, tuple[Turn, asyncio.Task[Answer | None]]] = {}

    def arrived(self, params: types.InlineCompletionParams) -> Asked | None:
        """Take a request's turn at once, so that an edit read after it counts as later.

        None if the document is not open.
        """
        document = self._documents.get(params.text_document.uri)
        if document is None:
            return None
        for key, (ahead, _) in self._ahead.items():
            if key != document.key:
                self._turns.give_up(ahead)
        cursor = document.asked_at = document.clamped(params.position)
        previewed = _previewed(params, document, cursor)
        joined = self._joinable(params, document, cursor, previewed)
        turn = self._turns.enter(document.key, spare=joined is not None)
        return Asked(params, document, cursor, turn, joined, previewed)

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """An open document has changed: no request so far may be answered.

        What runs for it goes on as long as its text agrees with what is typed.
        """
        key = key_of(params.text_document.uri)
        flight = self._in_flight.get(key)
        spare = flight is not None and flight.follow(params.content_changes)
        self._turns.drop(key, spare=spare)
        self._feedback.inserted(key, _inserted(params.content_changes))
        completer = self._completer()
        if completer is not None:
            completer.typed()
        if any(len(change.text) > 1 for change in params.content_changes):
            self._ask_ahead(key)

    def accepted(self, request_id: str) -> None:
        """The editor says that the user took an item."""
        self._feedback.accepted(request_id)
        key = self._offers.document_of(request_id)
        if key is not None:
            self._ask_ahead(key)

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
            return await self._items(asked)
        except Exception as error:
            logger.error("No completion, because of a fault: %s", describe(error))
            return None

    def cancelled(self, asked: Asked | None) -> None:
        """The editor cancelled a request: what runs for it is closed, if it has not ended yet."""
        if asked is not None:
            self._turns.give_up(asked.turn)

    def _ask_ahead(self, key: str) -> None:
        """Where an offered text was taken, make what the editor is likely to ask for next."""
        document, completer = self._documents.get(key), self._completer()
        if document is None or completer is None or not completer.speculates:
            return
        cursor = self._offers.taken(document)
        if cursor is None or not self._turns.is_free(key):
            return
        context = types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic)
        params = types.InlineCompletionParams(context, types.TextDocumentIdentifier(key), cursor)
        asked = Asked(params, document, cursor, self._turns.enter(key), ahead=True)
        task = asyncio.ensure_future(self._turns.run(asked.turn, lambda: self._generated(asked)))
        self._ahead[key] = asked.turn, task
        task.add_done_callback(lambda done: self._went_ahead(key, done))

    def _went_ahead(self, key: str, done: "asyncio.Task[Answer | None]") -> None:
        held = self._ahead.get(key)
        if held is not None and held[1] is done:
            del self._ahead[key]
        error = None if done.cancelled() else done.exception()
        if error is not None:
            logger.error("Nothing was made ahead, because of a fault: %s", describe(error))

    def _joinable(
        self,
        params: types.InlineCompletionParams,
        document: Document,
        cursor: types.Position,
        previewed: str | None,
    ) -> InFlight | None:
        """The generation that runs for this very place, if it may become the answer."""
        flight = self._in_flight.get(document.key)
        if flight is None or previewed is None or (_explicit(params) and not flight.explicit):
            return None
        return flight if flight.meets(cursor, previewed) else None

    async def _items(self, asked: Asked) -> types.InlineCompletionList | None:
        started = time.perf_counter()
        joined = answer = await self._joined(asked)
        if answer is None:
            answer = await self._turns.run(asked.turn, lambda: self._generated(asked))
        if answer is None:
            return None
        if not _explicit(asked.params):
            answer = replace(answer, others=())
        ms, document = (time.perf_counter() - started) * 1000, asked.document
        _log(answer, document.language, ms)
        self._report(document.key, answer.provenance)
        if not answer.text:
            return no_items()
        chosen = asked.params.context.selected_completion_info
        replaced = types.Range(asked.cursor, asked.cursor) if chosen is None else chosen.range
        lead = "" if chosen is None else chosen.text
        known = joined is None and answer.provenance.reused
        wait = cell(Wait.MEMORY if known else Wait.MODEL, ms)
        self._feedback.offered(document.key, document.language, answer, wait, lead=lead)
        if asked.previewed is not None:
            self._offers.add(document.key, asked.cursor, asked.previewed, answer)
        texts = [answer, *answer.others]
        items = [
            inline_item(lead + (each.text or ""), replaced, each.provenance.request_id)
            for each in texts
        ]
        return types.InlineCompletionList(items=items)

    async def _joined(self, asked: Asked) -> Answer | None:
        """What the generation that ran already comes to; None where it is no answer to this."""
        if asked.joined is None:
            return None
        answer: Answer | None = await self._turns.join(asked.turn)
        if answer is None or _is_for_the_asking(answer):
            return None
        return asked.joined.rest(answer)

    async def _generated(self, asked: Asked) -> Answer | None:
        completer = self._completer()
        if completer is None:
            return None
        key = asked.document.key
        flight = InFlight(
            asked.cursor,
            self._documents.encoding,
            lambda: self._turns.stop(key),
            explicit=_explicit(asked.params),
            lead=asked.previewed or "",
        )
        if asked.previewed is not None:
            self._in_flight[key] = flight
        try:
            return await completer.complete(_hole_of(asked), flight.grew)
        finally:
            if self._in_flight.get(key) is flight:
                del self._in_flight[key]


def _inserted(changes: Sequence[types.TextDocumentContentChangeEvent]) -> str:
    """The text of an edit that only inserts one; "" of every other."""
    if len(changes) != 1 or isinstance(changes[0], types.TextDocumentContentChangeWholeDocument):
        return ""
    place = changes[0].range
    return unix_line_ends(changes[0].text) if place.start == place.end else ""


def _explicit(params: types.InlineCompletionParams) -> bool:
    """The user asked (not: was typing)."""
    return params.context.trigger_kind is types.InlineCompletionTriggerKind.Invoked


def _previewed(
    params: types.InlineCompletionParams, document: Document, cursor: types.Position
) -> str | None:
    """What of the entry that the editor previews is not typed yet; see `Asked`."""
    chosen = params.context.selected_completion_info
    if chosen is None:
        return ""
    return document.rest_of(chosen.text, chosen.range) if chosen.range.end == cursor else None


def _is_for_the_asking(answer: Answer) -> bool:
    """Made ahead, and given up where only what somebody asks for may go on."""
    made = answer.provenance
    return made.ahead and not answer.text and made.reason is not Reason.EMPTY


def _hole_of(asked: Asked) -> Hole:
    explicit, document = _explicit(asked.params), asked.document
    chosen = asked.params.context.selected_completion_info
    if chosen is None:
        hole = document.hole(asked.cursor, explicit=explicit)
        return replace(hole, ahead=True) if asked.ahead else hole
    # The editor previews an entry of its own list: only text that goes on from it can be shown.
    return document.hole_for(chosen.range, chosen.text, explicit=explicit)


def _log(answer: Answer, language: str, ms: float) -> None:
    made = answer.provenance
    logger.info(
        "answer %s: shown=%s language=%s tier=%s model=%s confidence=%s verdict=%s reason=%s"
        " reused=%s tokens=%d discarded=%d ms=%.1f%s",
        made.request_id,
        bool(answer.text),
        language,
        made.tier,
        made.model,
        None if made.confidence is None else f"{made.confidence:.3f}",
        made.verdict,
        made.reason,
        made.reused,
        made.tokens_generated,
        made.tokens_discarded,
        ms,
        f" problem={made.problem}" if made.problem else "",
    )
