"""The way to the organisation's server: policy, then ledger, then the request."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

from synconfroute.clients.model import GenerationRequest, ModelClient, OpensAhead
from synconfroute.errors import (
    ModelServerError,
    PromptTooLong,
    RequestRefused,
    StaleConnection,
    Withheld,
)
from synconfroute.server.completion.admission import Admission, Obstacle
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.standing import snippets
from synconfroute.server.completion.departure import Departure
from synconfroute.server.completion.generation import Draft, Generation
from synconfroute.server.completion.healing import stream_of
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Entry, Ledger
from synconfroute.server.completion.policy import Allowed, Refused, may_leave
from synconfroute.server.completion.prompt import SHRINKS, Build, build_request, sent_bytes
from synconfroute.server.completion.secret_scan.screening import Screening
from synconfroute.server.completion.sending import Sending
from synconfroute.server.completion.tiers import Served, served_org
from synconfroute.server.completion.tracing_ids import traceparent
from synconfroute.server.settings.tree import Settings

_log = logging.getLogger(__name__)

_LOOKING_SECONDS = 1.0
"""A file about which the disk does not answer in this time stays here."""


class OrgTier:
    """The organisation's server. Nothing goes there but through `ask`."""

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        client: ModelClient | None,
        on_waiting: Callable[[int], None] = lambda _more: None,
        clock: Callable[[], float] = time.perf_counter,
        admission: Admission | None = None,
    ) -> None:
        """Take over the connection.

        Args:
            settings: the frozen settings tree.
            ledger: told of every request before it leaves.
            client: the configured server, or None where there is none.
            on_waiting: told how many more requests wait there: 1, and in the end -1.
            clock: seconds.
            admission: says whether the server is asked now; None: always.
        """
        self._settings = settings
        self._ledger = ledger
        self._client = client
        self._on_waiting = on_waiting
        self._clock = clock
        self._admission = admission
        self._looking: asyncio.Future[None] | None = None
        self._tidying: asyncio.Future[None] | None = None
        self._served: Served | None = None
        self._screening = Screening(settings.escalation.secrets)
        self._marks = True
        self._probing = asyncio.Lock()

    @property
    def configured(self) -> bool:
        """True if an address is set and escalation is on."""
        return self._client is not None and self._settings.escalation.enabled

    def refusal(self, hole: Hole) -> str:
        """Why this buffer may not leave the machine, in one sentence, or "" if it may."""
        answer = may_leave(hole, self._settings)
        return answer.sentence if isinstance(answer, Refused) else ""

    async def decision(self, hole: Hole) -> Allowed | Refused:
        """Whether policy lets this buffer leave. Disks can be slow: they are asked in a thread."""
        try:
            async with asyncio.timeout(_LOOKING_SECONDS):
                return await asyncio.to_thread(may_leave, hole, self._settings)
        except TimeoutError:
            return Refused(
                "Whether the file may leave could not be found out in time, so it stays here."
            )

    def prepare(
        self, hole: Hole, request_id: str, extent: Extent, context: Sequence[Piece]
    ) -> Departure:
        """Make ready, beside the local answer, what an escalation would wait for. Sends nothing."""

        async def make_ready() -> None:
            org = self._served
            if org is None or self.obstacle(extent) is not None:
                return
            await self.make_ready()
            leaving = await asyncio.to_thread(self._leaving, hole, context) if context else ()
            request = build_request(
                hole,
                org.ask,
                max_tokens=extent.max_tokens,
                request_id=request_id,
                context=snippets(leaving),
            )
            with suppress(Withheld):  # as it will be said when it is really asked for
                await self._screening.screened(request, hole)

        return Departure(lambda: self.decision(hole), make_ready)

    async def make_ready(self) -> None:
        """Have an open connection wait, where the settings want that and the server is well."""
        wanted = self.configured and self._settings.org.connect_ahead
        well = self._admission is None or self._admission.breaker.allows
        client: object = self._client
        if wanted and well and isinstance(client, OpensAhead):
            await client.make_ready()

    def note_shadow(
        self,
        hole: Hole,
        reason: str,
        request_id: str,
        extent: Extent,
        context: Sequence[Piece],
        why: str,
    ) -> None:
        """Note in the ledger what would have gone, had a rule not said to send nothing."""
        leaving = self._leaving(hole, context)
        size, model = len((hole.prefix + hole.suffix).encode("utf-8", "replace")), ""
        if self._served is not None:
            model = self._served.model
            size = sent_bytes(
                build_request(
                    hole,
                    self._served.ask,
                    max_tokens=extent.max_tokens,
                    request_id=request_id,
                    context=snippets(leaving),
                )
            )
        entry = self._entry(hole, reason, request_id, leaving, size, model)
        self._ledger.withheld(entry, why)

    def obstacle(self, extent: Extent) -> Obstacle | None:
        """Why so much may not be asked for now; None if it may."""
        if self._admission is None:
            return None
        return self._admission.obstacle(single_line=extent.single_line)

    @property
    def trouble(self) -> str:
        """One sentence while the server is left alone; "" while it is asked."""
        return "" if self._admission is None else self._admission.trouble

    @property
    def breaker(self) -> State | None:
        """Whether the server is asked now; None where there is none."""
        if self._admission is None or not self.configured:
            return None
        return self._admission.breaker.state

    def look_again(self) -> None:
        """If the server failed and its pause is over, see beside all else whether it is well."""
        if self._admission is None or not self.configured:
            return
        breaker = self._admission.breaker
        if breaker.failure is None or breaker.state is not State.HALF_OPEN or not breaker.allows:
            return
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self.look())

    async def look(self) -> None:
        """Find out whether the server is well. Sends no code, raises nothing of ours."""
        breaker = None if self._admission is None else self._admission.breaker
        if breaker is not None and not breaker.allows:
            return
        try:
            if breaker is not None:
                breaker.entered()
            await self.served()
        except ModelServerError as error:
            _log.warning("the organisation's server is not ready: %s", error)
            if breaker is not None:
                breaker.failed(error)
        else:
            if breaker is not None and breaker.failure is not None:
                breaker.looked_well()
        finally:
            if breaker is not None:
                breaker.given_up()

    async def served(self) -> Served:
        """The server, found able to answer; asked once, then remembered. Sends no code.

        Raises:
            ModelServerError: it is not ready.
        """
        if self._client is None:
            raise ModelServerError("No organisation server is set: set org.url.")
        async with self._probing:
            if self._served is None:
                self._served = await served_org(self._client, self._settings)
                self._marks = True
            return self._served

    async def ask(  # noqa: PLR0913 - facts about one request, each by its name
        self,
        hole: Hole,
        reason: str,
        request_id: str,
        extent: Extent,
        *,
        context: Sequence[Piece] = (),
        stop: bool = True,
        build: Build = build_request,
        seconds: float | None = None,
        on_leaving: Callable[[], None] = lambda: None,
    ) -> Draft:
        """Ask the larger model and return its finished draft; see `_ask`."""
        admission = self._admission
        single = extent.single_line
        with nullcontext() if admission is None else admission.request(single_line=single):
            return await self._ask(
                hole,
                reason,
                request_id,
                extent,
                context,
                stop=stop,
                build=build,
                seconds=seconds,
                on_leaving=on_leaving,
            )

    async def _ask(  # noqa: PLR0913 - as `ask`
        self,
        hole: Hole,
        reason: str,
        request_id: str,
        extent: Extent,
        context: Sequence[Piece],
        *,
        stop: bool,
        build: Build,
        seconds: float | None,
        on_leaving: Callable[[], None],
    ) -> Draft:
        """Ask the larger model and return its finished draft.

        Args:
            hole: where the completion goes.
            reason: why, for the ledger.
            request_id: joins the answer with its ledger entry.
            extent: how much is asked for.
            context: pieces of other files; only what policy lets leave goes along.
            stop: end an answer of several lines with the structure that it began.
            build: makes the request.
            seconds: the longest wait for all of it; None: as long as it takes.
            on_leaving: told right before a request leaves.

        Raises:
            TimeoutError: it took longer.
            LedgerError: the ledger cannot be written; nothing was sent.
            Withheld: it looks like it holds a secret; nothing was sent.
            ModelServerError: the server refused, failed, or cannot be reached.
        """
        deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with asyncio.timeout_at(deadline):
            org = await self.served()
            leaving = await asyncio.to_thread(self._leaving, hole, context) if context else ()
        for shrink in SHRINKS:
            request = build(
                hole,
                org.ask,
                max_tokens=extent.max_tokens,
                request_id=request_id,
                shrink=shrink,
                context=snippets(leaving),
            )
            request = replace(request, automatic=self._marks and not hole.explicit)
            self._on_waiting(1)
            try:
                sending = Sending(self._ledger, self._clock, on_leaving)
                with sending:
                    async with asyncio.timeout_at(deadline):
                        return await self._send(
                            hole, org, request, reason, extent, leaving, sending, stop=stop
                        )
            except PromptTooLong:
                if shrink == SHRINKS[-1]:
                    raise
            except ModelServerError:
                self._served = None  # it may heal: ask anew what it can do
                raise
            finally:
                self._on_waiting(-1)
                self._tidy()
        raise AssertionError("the last shrink returns or raises")

    def _leaving(self, hole: Hole, context: Sequence[Piece]) -> tuple[Piece, ...]:
        """The pieces that may go along: none unless the user allows it, each by its own file."""
        if not self._settings.context.org:
            return ()
        return tuple(piece for piece in context if not self.refusal(replace(hole, path=piece.file)))

    async def _send(
        self,
        hole: Hole,
        org: Served,
        request: GenerationRequest,
        reason: str,
        extent: Extent,
        context: Sequence[Piece],
        sending: Sending,
        *,
        stop: bool,
    ) -> Draft:
        """One ledger line, then the request; the same again where it has to be asked anew."""

        def entry(asked: GenerationRequest) -> Entry:
            size = sent_bytes(asked)
            return self._entry(hole, reason, asked.request_id, context, size, org.model)

        try:
            safe = await self._screening.screened(request, hole)
        except Withheld as error:
            self._ledger.withheld(entry(request), str(error))
            raise
        request = safe.request
        if self._settings.tracing.enabled and self._settings.tracing.traceparent:
            request = replace(request, traceparent=traceparent(request.request_id))

        def record(asked: GenerationRequest) -> None:
            sending.record(replace(entry(asked), redacted=safe.redacted))

        draft = await self._answer(org, request, extent, hole if stop else None, record, sending)
        return replace(draft, model=draft.model or org.model, redacted=safe.redacted)

    async def _answer(
        self,
        org: Served,
        request: GenerationRequest,
        extent: Extent,
        block_at: Hole | None,
        record: Callable[[GenerationRequest], None],
        sending: Sending,
    ) -> Draft:
        """The finished answer.

        A server may refuse what marks a request that nobody asked for: then it is asked once more,
        without, and from then on it is not marked. It may just have closed a connection that waited
        for a request: then it is asked once more, too. Each time has its line in the ledger.
        """
        fresh = False
        while True:
            try:
                stream = await stream_of(org.client, request, record)
                generation = Generation(
                    stream,
                    single_line=extent.single_line,
                    block_at=block_at,
                    given=request.given,
                    asked_for=request.max_tokens,
                    address=org.client.address,
                )
                sending.generation = generation
                try:
                    return await generation.finish()
                finally:
                    await generation.aclose()
            except StaleConnection:
                if fresh:
                    raise
                fresh = True
            except RequestRefused:
                if not request.automatic or sending.tokens:
                    raise
                self._marks, request = False, replace(request, automatic=False)

    def _entry(
        self,
        hole: Hole,
        reason: str,
        request_id: str,
        context: Sequence[Piece],
        size: int,
        model: str,
    ) -> Entry:
        return Entry(
            path=hole.path or "",
            language=hole.language,
            bytes=size,
            server="" if self._client is None else self._client.address,
            model=model,
            reason=reason,
            request_id=request_id,
            context_files=tuple({piece.file: None for piece in context}),
            context_bytes=sum(len(piece.text.encode("utf-8", "replace")) for piece in context),
        )

    def shown(self, request_id: str) -> None:
        """The user was shown an answer that came from there: the ledger is told."""
        self._ledger.shown(request_id)

    def _tidy(self) -> None:
        """Have old files of the ledger dropped, beside everything else."""
        if self._ledger.untidy and (self._tidying is None or self._tidying.done()):
            self._tidying = asyncio.ensure_future(asyncio.to_thread(self._ledger.tidy))

    async def aclose(self) -> None:
        """Close all connections."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self._client is not None:
            await self._client.aclose()
        if self._tidying is not None:
            await asyncio.wait([self._tidying])
        self._ledger.close()
