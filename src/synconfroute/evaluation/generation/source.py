"""Who answers: a model of the local tier, or of the organisation's, asked as the server asks it."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from synconfroute.clients.model import GenerationRequest, ModelClient, TextPrompt
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.completer import ChosenLocalTier
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.generation import Draft, begin
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.prompt import Build
from synconfroute.server.completion.tiers import Served, org_client
from synconfroute.server.settings.tree import Settings

_REASON = "evaluation"

Watch = Callable[[ModelClient], ModelClient]
"""Stands between a source and its client."""


def unwatched(client: ModelClient) -> ModelClient:
    """The client itself."""
    return client


class Source(Protocol):
    """A model that answers holes."""

    async def ready(self) -> Served:
        """The model, found able to answer and loaded.

        Raises:
            SynConfRouteError: it cannot answer; the sentence says why and what mends it.
        """
        ...

    async def draft(self, hole: Hole, build: Build, extent: Extent, *, stop: bool) -> Draft:
        """The finished answer to a hole.

        Args:
            hole: where the answer goes.
            build: makes the request.
            extent: how much is asked for.
            stop: end an answer of several lines as the server does, with what it began.

        Raises:
            SynConfRouteError: the server failed, or the text may not leave.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...


def source_of(model: ModelName, settings: Settings, watch: Watch = unwatched) -> Source:
    """The source of a named model."""
    if model.provider == "org":
        return OrgSource(replace(settings, org=replace(settings.org, model=model.name)), watch)
    local = replace(settings.local, provider=model.provider, model=model.name)
    return LocalSource(replace(settings, local=local), watch)


class LocalSource:
    """A model of the local tier."""

    def __init__(self, settings: Settings, watch: Watch = unwatched) -> None:
        """Take the local tier of these settings; nothing is asked yet."""
        self._tier = ChosenLocalTier(settings)
        self._watch = watch

    async def ready(self) -> Served:
        """The model, loaded by a request of one token, so that no answer's time holds that."""
        served = await self._tier.served()
        stream = await served.client.stream(GenerationRequest(TextPrompt("\n"), 1))
        async with stream:
            async for _ in stream:
                pass
        return await self._tier.served()

    async def draft(self, hole: Hole, build: Build, extent: Extent, *, stop: bool) -> Draft:
        """The finished answer of the local model."""
        served = await self._tier.served()

        def request(shrink: int) -> GenerationRequest:
            most = extent.max_tokens
            return build(hole, served.ask, max_tokens=most, request_id="", shrink=shrink)

        generation = await begin(
            self._watch(served.client),
            request,
            single_line=extent.single_line,
            block_at=hole if stop else None,
        )
        try:
            return await generation.finish()
        finally:
            await generation.aclose()

    async def aclose(self) -> None:
        """Close the connections; an embedded engine goes on until it is idle."""
        await self._tier.aclose()


class OrgSource:
    """A model of the organisation's server: policy and ledger stand before every request."""

    def __init__(self, settings: Settings, watch: Watch = unwatched) -> None:
        """Take the organisation's server of these settings; nothing is asked yet."""
        client = org_client(settings)
        self._tier = OrgTier(
            settings, Ledger(rules=settings.ledger), None if client is None else watch(client)
        )

    async def ready(self) -> Served:
        """The server, found able to answer. Sends no code."""
        if not self._tier.configured:
            raise EvaluationError(
                "No organisation server can be asked: set org.url, and leave escalation.enabled on."
            )
        return await self._tier.served()

    async def draft(self, hole: Hole, build: Build, extent: Extent, *, stop: bool) -> Draft:
        """The finished answer of the organisation's model; its ledger line is written first."""
        refusal = self._tier.refusal(hole)
        if refusal:
            raise EvaluationError(refusal)
        return await self._tier.ask(
            hole,
            _REASON,
            uuid.uuid4().hex,
            extent,
            stop=stop,
            build=build,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._tier.aclose()
