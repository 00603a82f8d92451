"""The local model's part of a request: from its prompt to a candidate, cleaned and judged."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from synconfroute.clients.model import GenerationRequest
from synconfroute.server.completion.block_due import extent_of
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.confidence import confidence
from synconfroute.server.completion.context.standing import snippets
from synconfroute.server.completion.context.supply import Supply
from synconfroute.server.completion.finishing import Finishing
from synconfroute.server.completion.generation import Draft, Generation, begin
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import build_request
from synconfroute.server.completion.tiers import Served
from synconfroute.server.completion.trace import Trace
from synconfroute.server.settings.tree import Settings


class LocalTier(Protocol):
    """Finds the local model."""

    async def served(self) -> Served:
        """The local model, found able to answer; raises a SynConfRouteError where there is none."""
        ...

    def failed(self, error: Exception) -> None:
        """It failed: look for it anew, after a while."""
        ...

    def answered(self) -> None:
        """It answered."""
        ...


@dataclass(frozen=True, slots=True)
class Draw:
    """How an answer is drawn by chance, and can be drawn again.

    Attributes:
        temperature: above 0.
        seed: of the random numbers.
    """

    temperature: float
    seed: int


class LocalAnswers:
    """Has the local model answer."""

    def __init__(
        self,
        settings: Settings,
        local: LocalTier,
        finishing: Finishing,
        supply: Supply | None = None,
        *,
        foresees: bool = False,
    ) -> None:
        """Take over what answers.

        Args:
            settings: the frozen settings tree.
            local: finds the model.
            finishing: makes candidates of drafts.
            supply: gives pieces of other files; None: there are none.
            foresees: single lines are judged while they grow.
        """
        self._local = local
        self._foresees = foresees
        self._finishing = finishing
        self._supply = supply
        self._deadline = settings.limits.local_deadline_ms / 1000
        self._which = settings.router.confidence
        self._limits = settings.limits

    async def begin(
        self,
        hole: Hole,
        trace: Trace,
        *,
        on_text: Callable[[str], None] | None = None,
        draw: Draw | None = None,
    ) -> Generation:
        """Ask the model.

        Args:
            hole: where the text goes.
            trace: takes notes.
            on_text: told the text as it grows.
            draw: by chance; None: the likeliest answer.

        Raises:
            SynConfRouteError: there is no model, or it cannot be asked.
        """
        local = await self._local.served()
        trace.model, trace.provider = local.model, local.client.name
        if local.probe.logprobs is False:
            trace.shortcoming = local.probe.message
        if self._supply is not None:
            trace.context = await self._supply.pieces(hole)
        context, extent = snippets(trace.context), extent_of(hole, self._limits)

        def request(shrink: int) -> GenerationRequest:
            asked = build_request(
                hole,
                local.ask,
                max_tokens=extent.max_tokens,
                request_id=trace.request_id,
                shrink=shrink,
                context=context,
            )
            if draw is None:
                return asked
            return replace(asked, temperature=draw.temperature, seed=draw.seed)

        if self._foresees and extent.single_line:  # of a hundred tokens each would be looked at
            trace.foresight = self._finishing.foresight(hole)
        return await begin(
            local.client,
            request,
            single_line=extent.single_line,
            block_at=hole,
            on_text=on_text,
        )

    async def read(self, hole: Hole, trace: Trace) -> None:
        """Have the model read the prompt for a hole; at most one token is written.

        Raises:
            SynConfRouteError: there is no model, or it cannot be asked.
        """
        local = await self._local.served()
        trace.model, trace.provider = local.model, local.client.name
        context = () if self._supply is None else await self._supply.pieces(hole)
        request = build_request(
            hole,
            local.ask,
            max_tokens=extent_of(hole, self._limits).max_tokens,
            request_id=trace.request_id,
            context=snippets(context),
        )
        reading = replace(request, max_tokens=1, grammar=None, heal="", plain=None)
        async with await local.client.stream(reading) as stream:
            async for _ in stream:
                trace.generated += 1

    def note(self, draft: Draft, trace: Trace) -> None:
        """Note how far the answer has grown."""
        trace.generated = len(draft.tokens)
        if draft.tokens:
            trace.mark("local_first_token")
        sureness = confidence(
            draft.tokens, preamble=draft.preamble, finished=draft.finished, which=self._which
        )
        if sureness.settled:
            trace.confidence = sureness.value
            trace.mark("confidence")
        if trace.foresight is not None and not draft.finished:
            trace.foresight.grew(draft.text)

    async def finish(self, hole: Hole, generation: Generation, trace: Trace) -> Candidate:
        """The candidate, finished, cleaned and judged.

        Raises:
            ModelServerError: the model failed in the middle.
            TimeoutError: it took too long.
        """
        async with asyncio.timeout(self._deadline):
            async for draft in generation:
                self.note(draft, trace)
        asked, trace.model = trace.model, generation.draft.model or trace.model
        trace.mark("local")
        candidate = await self._finishing.candidate(
            hole,
            generation.draft,
            asked,
            lambda: trace.mark("cleaned"),
            None if trace.foresight is None else trace.foresight.verdict,
        )
        trace.mark("validation")
        return candidate
