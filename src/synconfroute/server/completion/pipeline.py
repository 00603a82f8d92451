"""One request, end to end: local tier, confidence, cleaning, verdict, router, escalation."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace

from synconfroute.errors import LedgerError, ModelServerError, SynConfRouteError, Withheld
from synconfroute.server.completion.answer import Answer, Provenance, Reason
from synconfroute.server.completion.block_due import extent_of
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.choice import choose, usable
from synconfroute.server.completion.context.supply import Supply
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.finishing import Finishing
from synconfroute.server.completion.generation import Generation
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Confirm, Judging, Validator
from synconfroute.server.completion.local_answers import Draw, LocalAnswers, LocalTier
from synconfroute.server.completion.policy import Refused
from synconfroute.server.completion.router import Escalate, decide, leans
from synconfroute.server.completion.trace import Trace
from synconfroute.server.completion.troubles import Troubles
from synconfroute.server.settings.tree import Settings

_LOCAL, _AGE, _ORG, _LEDGER = "local", "age of the local server", "org", "ledger"
"""What may fail."""


class Pipeline:
    """Answers requests. One per server process."""

    def __init__(  # noqa: PLR0913 - the parts, each by its name
        self,
        settings: Settings,
        local: LocalTier,
        org: OrgTier,
        validator: Validator,
        *,
        on_notice: Callable[[str], None],
        on_made: Callable[[str, Provenance], None] = lambda _language, _made: None,
        confirm: Confirm | None = None,
        supply: Supply | None = None,
        foresees: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Put the parts together.

        Args:
            settings: the frozen settings tree.
            local: finds the local model.
            org: the organisation's server.
            validator: judges candidates.
            on_notice: told one sentence that the user should see.
            on_made: told the language and the provenance of each answer, also of one that was
                cancelled before it was there.
            confirm: a second opinion on verdicts.
            supply: gives pieces of other files; None: there are none.
            foresees: single lines are judged while they grow: more work for the parser, less
                waiting.
            clock: seconds, for timings.
        """
        self._settings = settings
        self._local = local
        self._org = org
        seconds = settings.limits.validation_ms / 1000
        self._judging = Judging(validator, seconds, confirm)
        self._troubles = Troubles(on_notice)
        self._on_made = on_made
        self._clock = clock
        self._finishing = Finishing(self._judging, seconds, settings.limits)
        self._answers = LocalAnswers(settings, local, self._finishing, supply, foresees=foresees)

    async def complete(self, hole: Hole, on_text: Callable[[str], None] | None = None) -> Answer:
        """The completion for a hole, or why there is none.

        `on_text` is told the local model's text as it grows.

        Cancelling it closes the model streams at once. It raises nothing of ours: what fails is
        told in the provenance and as a notice. For what is asked ahead nothing leaves this machine:
        where it should, there is no text.
        """
        self._org.look_again()
        trace = Trace(uuid.uuid4().hex, self._clock, ahead=hole.ahead)
        return await self._told(hole, trace, self._answer(hole, trace, on_text))

    async def read(self, hole: Hole) -> None:
        """Have the local model read the prompt for a hole: of the next one it has read a part then.

        Nothing is shown and nothing leaves this machine. Cancelling it closes the model stream.

        Raises:
            SynConfRouteError: there is no model, or it cannot be asked.
            TimeoutError: it took too long.
        """
        trace = Trace(uuid.uuid4().hex, self._clock, reading=True)
        try:
            async with asyncio.timeout(self._settings.limits.local_deadline_ms / 1000):
                await self._answers.read(hole, trace)
        finally:
            read = trace.answer(None, reason=Reason.EMPTY)
            self._on_made(hole.language, read.provenance)

    async def draw(self, hole: Hole, which: int, draw: Draw) -> Answer:
        """A further text for a hole, drawn from the local model; none where it is not usable.

        Cancelling it closes the model stream at once. Raises nothing of ours and notifies nobody:
        the first text was had from the same model.

        Args:
            hole: where it goes.
            which: its number, from 1.
            draw: how it is drawn.
        """
        trace = Trace(uuid.uuid4().hex, self._clock, alternative=which)
        return await self._told(hole, trace, self._drawn(hole, trace, draw))

    async def _told(self, hole: Hole, trace: Trace, answer: Awaitable[Answer]) -> Answer:
        """The answer, after `on_made` was told of it."""
        try:
            made = await _ending(answer, trace)
        except asyncio.CancelledError:
            cancelled = trace.answer(None, reason=Reason.CANCELLED)
            self._on_made(hole.language, cancelled.provenance)
            raise
        if self._org.trouble:
            told = replace(made.provenance, org_problem=self._org.trouble)
            made = replace(made, provenance=told)
        self._on_made(hole.language, made.provenance)
        return made

    async def _drawn(self, hole: Hole, trace: Trace, draw: Draw) -> Answer:
        generation: Generation | None = None
        try:
            generation = await self._answers.begin(hole, trace, draw=draw)
            candidate = await self._answers.finish(hole, generation, trace)
        except (SynConfRouteError, TimeoutError) as error:
            trace.problem = _sentence(error)
            return trace.answer(None, reason=Reason.ERROR)
        finally:
            if generation is not None:
                await generation.aclose()
        shown = choose(None, candidate)
        dropped = Reason.INVALID if candidate.text else Reason.EMPTY
        return trace.answer(shown, local=candidate, reason=Reason.KEPT if shown else dropped)

    async def _answer(
        self, hole: Hole, trace: Trace, on_text: Callable[[str], None] | None
    ) -> Answer:
        self._judging.prepare(hole)
        generation: Generation | None = None
        try:
            async with asyncio.timeout(self._settings.limits.local_deadline_ms / 1000):
                generation = await self._answers.begin(hole, trace, on_text=on_text)
                doubt = await self._first_doubt(hole, generation, trace)
            if doubt is not None and await self._may_leave(hole, trace):
                if hole.ahead:
                    return trace.answer(None, reason=doubt)
                rest = self._rest(hole, generation, trace)
                return await self._escalate(hole, doubt, rest, trace)
            candidate = await self._finished(hole, generation, trace)
        except (SynConfRouteError, TimeoutError) as error:
            return self._failed(trace, error)
        finally:
            if generation is not None:
                await generation.aclose()
        decision = decide(candidate, self._settings)
        trace.mark("decided")
        if not isinstance(decision, Escalate):
            shown = choose(None, candidate)
            kept = Reason.KEPT if shown else Reason.EMPTY
            return trace.answer(shown, local=candidate, reason=kept)
        if await self._may_leave(hole, trace):
            if hole.ahead:
                return trace.answer(None, local=candidate, reason=decision.reason)
            return await self._escalate(hole, decision.reason, _known(candidate), trace)
        if trace.obstacle is Reason.SHADOW and not hole.ahead:
            extent = extent_of(hole, self._settings.limits)
            self._org.note_shadow(
                hole, decision.reason, trace.request_id, extent, trace.context, trace.problem
            )
        candidate = await self._finishing.mended(hole, candidate)
        reason = trace.obstacle or decision.reason
        return trace.answer(choose(None, candidate), local=candidate, reason=reason)

    async def _finished(self, hole: Hole, generation: Generation, trace: Trace) -> Candidate:
        """The local candidate; see `LocalAnswers.finish`."""
        candidate = await self._answers.finish(hole, generation, trace)
        self._local.answered()
        self._troubles.well(_LOCAL)
        if trace.shortcoming and self._org.configured:  # else nobody misses the confidence
            self._troubles.failed(_AGE, "log-probs", trace.shortcoming)
        return candidate

    async def _first_doubt(self, hole: Hole, generation: Generation, trace: Trace) -> Reason | None:
        """Read tokens until one reason to escalate is known, or the answer is finished."""
        async for draft in generation:
            self._answers.note(draft, trace)
            growing = Candidate(
                draft.tokens, draft.preamble, model=trace.model, language=hole.language
            )
            decision = decide(growing, self._settings)
            if isinstance(decision, Escalate) and not draft.finished:
                trace.mark("decided")
                if trace.foresight is not None:
                    trace.foresight.rest()
                return decision.reason
            self._prepare(hole, growing, trace)
        return None

    def _prepare(self, hole: Hole, growing: Candidate, trace: Trace) -> None:
        """Where the answer begins doubtfully, make ready what an escalation would wait for."""
        wanted = self._org.configured and trace.departure is None and not hole.ahead
        if wanted and leans(growing, self._settings):
            extent = extent_of(hole, self._settings.limits)
            trace.departure = self._org.prepare(hole, trace.request_id, extent, trace.context)

    async def _rest(self, hole: Hole, generation: Generation, trace: Trace) -> Candidate | None:
        """The local answer running on beside the organisation's: the hedge."""
        if not self._settings.escalation.hedge:
            await trace.settled.wait()
            if not trace.withheld:
                await generation.aclose()
                return None
        try:
            return await self._finished(hole, generation, trace)
        except (SynConfRouteError, TimeoutError) as error:
            self._local.failed(error)
            self._tell(_LOCAL, error, trace)
            return None

    async def _may_leave(self, hole: Hole, trace: Trace) -> bool:
        """True if an organisation server is set, policy lets this buffer go there, and it is well.

        Otherwise what is in the way is noted.
        """
        if not self._org.configured:
            return False
        trace.obstacle, trace.problem = None, ""
        trace.mark("policy_asked")
        departure = trace.departure
        asked = self._org.decision(hole) if departure is None else departure.decision()
        decision = await asked
        trace.mark("policy")
        if isinstance(decision, Refused):
            trace.obstacle = Reason.SHADOW if decision.shadow else Reason.REFUSED_POLICY
            trace.problem = decision.sentence
            return False
        obstacle = self._org.obstacle(extent_of(hole, self._settings.limits))
        if obstacle is None:
            return True
        trace.obstacle, trace.problem = obstacle.reason, obstacle.sentence
        if obstacle.cause:
            self._troubles.failed(_ORG, obstacle.cause, obstacle.notice)
        return False

    async def _escalate(
        self,
        hole: Hole,
        reason: Reason,
        local: Awaitable[Candidate | None],
        trace: Trace,
    ) -> Answer:
        """The organisation's answer if a usable one comes in time, else the local one."""
        hedge = asyncio.ensure_future(local)
        try:
            org = await self._ask_org(hole, reason, trace)
            candidate = await hedge if hedge.done() or not usable(org) else None
        finally:
            await _end(hedge)
        if org is None and candidate is not None:
            candidate = await self._finishing.mended(hole, candidate)
        return trace.answer(
            choose(org, candidate), org=org, local=candidate, reason=trace.obstacle or reason
        )

    async def _ask_org(self, hole: Hole, reason: Reason, trace: Trace) -> Candidate | None:
        """The organisation's candidate; None where it could not be had, with the obstacle noted."""
        trace.mark("org_sent")
        try:
            draft = await self._org.ask(
                hole,
                reason,
                trace.request_id,
                extent_of(hole, self._settings.limits),
                context=trace.context,
                seconds=self._settings.escalation.deadline_ms / 1000,
                on_leaving=trace.settled.set,
            )
        except TimeoutError:
            trace.obstacle = Reason.LATE
            trace.problem = "The organisation's server did not answer in time."
            return None
        except LedgerError as error:
            trace.obstacle, trace.withheld = Reason.REFUSED_POLICY, True
            trace.unrecorded = True
            self._tell(_LEDGER, error, trace)
            return None
        except Withheld as error:
            trace.obstacle, trace.withheld = Reason.REFUSED_POLICY, True
            trace.problem = str(error)
            return None
        except ModelServerError as error:
            self._tell(_ORG, error, trace)
            return None
        finally:
            trace.settled.set()
        self._troubles.well(_ORG)
        self._troubles.well(_LEDGER)
        trace.org_model, trace.redacted = draft.model, draft.redacted
        trace.mark("org_answered")
        candidate = await self._finishing.candidate(
            hole, draft, draft.model, lambda: trace.mark("org_cleaned")
        )
        trace.mark("org")
        return candidate

    def _failed(self, trace: Trace, error: Exception) -> Answer:
        self._local.failed(error)
        self._tell(_LOCAL, error, trace)
        return trace.answer(None, reason=Reason.ERROR)

    def _tell(self, who: str, error: Exception, trace: Trace) -> None:
        trace.problem = _sentence(error)
        self._troubles.failed(who, type(error).__name__, trace.problem)


async def _ending(answer: Awaitable[Answer], trace: Trace) -> Answer:
    """The answer; what was made ready for it has ended then, or ends by itself."""
    try:
        return await answer
    finally:
        if trace.foresight is not None:
            trace.foresight.rest()
        if trace.departure is not None:
            await trace.departure.aclose()


async def _known(candidate: Candidate) -> Candidate:
    return candidate


async def _end(task: asyncio.Future[Candidate | None]) -> None:
    """Cancel a task that is no longer needed, and wait until it has let go of its stream."""
    if not task.done():
        task.cancel()
    await asyncio.wait([task])


def _sentence(error: Exception) -> str:
    return (
        "The local model did not answer in time." if isinstance(error, TimeoutError) else str(error)
    )
