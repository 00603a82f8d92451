"""A pipeline with its real parts, kept warm: what the server and the command line use."""

import asyncio
import logging
import time
from collections.abc import Callable

from synconfroute.clients.model import OpensAhead
from synconfroute.errors import EngineFailed, ModelServerError, PromptTooLong, SynConfRouteError
from synconfroute.server.completion.admission import Admission, pauses_of
from synconfroute.server.completion.answer import Answer, Provenance
from synconfroute.server.completion.breaker import Breaker, Pauses, State
from synconfroute.server.completion.context.supply import Supply
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.following import Followers
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Confirm
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.local_answers import Draw
from synconfroute.server.completion.pipeline import Pipeline
from synconfroute.server.completion.policy import Allowed
from synconfroute.server.completion.stopping import make_ready
from synconfroute.server.completion.tiers import (
    LocalClients,
    Served,
    choose_local,
    org_client,
    served,
)
from synconfroute.server.settings.tree import Settings
from synconfroute.validators import Validator
from synconfroute.validators.parsers import Parsers

_log = logging.getLogger(__name__)

_HEALS = (ModelServerError, EngineFailed, TimeoutError)
"""What may be otherwise in a moment. Missing weights are found to be there at once."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 5.0
"""A server of one's own is nobody else's: it may be tried often."""


class ChosenLocalTier:
    """The local tier by the settings: chosen once, and anew after it failed."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        """Choose nothing yet; `clock` tells seconds."""
        self._settings = settings
        self._clients = LocalClients(settings)
        self._served: Served | None = None
        self._measured = False
        self._breaker = Breaker(_pauses_of(settings), clock)
        self._choosing = asyncio.Lock()

    async def served(self) -> Served:
        """The local model, found able to answer. Each choice is logged.

        After it failed it is left alone for a moment, and the failure told once more.

        Raises:
            SynConfRouteError: there is none; the sentence says why and what mends it.
            TimeoutError: it took too long lately.
        """
        failure = self._breaker.failure
        if failure is not None and not self._breaker.allows:
            raise failure.with_traceback(None)
        return await self.look()

    async def look(self) -> Served:
        """As `served`, at once in any case.

        Raises:
            SynConfRouteError: there is none.
        """
        async with self._choosing:
            if self._served is not None and not self._measured:
                # An engine that was just started knows how long a prompt it can take in time.
                self._measured = True
                if self._served.probe.prompt_tokens is not None:
                    self._served = None
            if self._served is None:
                choice = await choose_local(self._settings, self._clients)
                self._served = served(choice, self._settings)
                _log.info(
                    "local tier: %s, model %s, because %s",
                    choice.client.name,
                    self._served.model,
                    choice.why,
                )
            return self._served

    @property
    def model(self) -> str:
        """Server and name of the model that was chosen, "" while none is."""
        served = self._served
        return "" if served is None else f"{served.client.address} {served.model}"

    async def make_ready(self) -> None:
        """Have an open connection wait, where a model was chosen."""
        client: object = None if self._served is None else self._served.client
        if self._breaker.allows and isinstance(client, OpensAhead):
            await client.make_ready()

    def failed(self, error: Exception) -> None:
        """Choose anew at a later request."""
        self._served = None
        if isinstance(error, _HEALS) and not isinstance(error, PromptTooLong):
            self._breaker.failed(error)

    def answered(self) -> None:
        """It answered."""
        self._breaker.answered()

    async def aclose(self) -> None:
        """Close its connections."""
        await self._clients.aclose()


def _pauses_of(settings: Settings) -> Pauses:
    pauses = pauses_of(settings)
    return Pauses(min(pauses.first_s, _FIRST_PAUSE_S), min(pauses.longest_s, _LONGEST_PAUSE_S))


def _confirmation(settings: Settings) -> Confirm | None:
    if settings.validation.compiler == "off":
        return None
    from synconfroute.server.completion.confirmation import Confirmation

    return Confirmation(settings.validation.compiler_ms / 1000)


class Completer:
    """Answers requests, with all that this needs: one per server process."""

    def __init__(
        self,
        settings: Settings,
        *,
        on_notice: Callable[[str], None],
        on_made: Callable[[str, Provenance], None] = lambda _language, _made: None,
        on_waiting: Callable[[int], None] = lambda _more: None,
        parsers: Parsers | None = None,
    ) -> None:
        """Put the real parts together; nothing is started yet.

        Args:
            settings: the frozen settings tree.
            on_notice: told one sentence that the user should see.
            on_made: as of `Pipeline`.
            on_waiting: as of `OrgTier`.
            parsers: shared by the sessions of this process; None: there is only this one.
        """
        self._local = ChosenLocalTier(settings)
        self._org = OrgTier(
            settings,
            Ledger(rules=settings.ledger),
            org_client(settings),
            on_waiting,
            admission=Admission(settings),
        )
        self._validator = Validator() if parsers is None else parsers.join()
        self._supply = Supply(settings.context)
        self._turning: asyncio.Task[None] | None = None
        self._pipeline = Pipeline(
            settings,
            self._local,
            self._org,
            self._validator,
            supply=self._supply,
            on_notice=on_notice,
            on_made=on_made,
            confirm=_confirmation(settings),
            foresees=parsers is None,  # what many share has no time for what may come
        )

    @property
    def breaker(self) -> State | None:
        """Whether the organisation's server is asked now; None where there is none."""
        return self._org.breaker

    @property
    def follower(self) -> Followers:
        """Wants to know of every open document."""
        return Followers(self._validator, self._supply)

    async def warm(self) -> str:
        """Start the parser process and find the models before they are needed.

        Returns:
            One sentence: why there is no local model yet; "" where there is one.
        """
        self._validator.warm()
        self._supply.warm()
        problem = ""
        try:
            await self._local.look()
        except SynConfRouteError as error:
            problem = str(error)
            _log.warning("no local model yet: %s", error)
        if self._org.configured:
            await self._org.look()
        await asyncio.to_thread(make_ready)
        return problem

    @property
    def model(self) -> str:
        """The local model that would be asked now; "" while that is not known."""
        return self._local.model

    async def look_around(self, hole: Hole, seconds: float) -> None:
        """Wait until it is known what of other files may help, for so many seconds at most."""
        await self._supply.gathered(hole, seconds)

    def shown(self, request_id: str) -> None:
        """The user was shown an answer of the organisation's server: the ledger is told."""
        self._org.shown(request_id)

    async def complete(self, hole: Hole, on_text: Callable[[str], None] | None = None) -> Answer:
        """The completion for a hole; see `Pipeline.complete`."""
        if hole.spot is None:  # else its buffer is parsed at once, while the model decodes
            self._validator.warm()
        return await self._pipeline.complete(hole, on_text)

    def turned_to(self, hole: Hole) -> None:
        """The user has turned to a document: have connections open when requests want them."""
        if self._turning is None or self._turning.done():
            self._turning = asyncio.ensure_future(self._make_ready(hole))

    async def read(self, hole: Hole) -> None:
        """Have the local model read the prompt for a hole; see `Pipeline.read`."""
        await self._pipeline.read(hole)

    async def draw(self, hole: Hole, which: int, draw: Draw) -> Answer:
        """A further text for a hole; see `Pipeline.draw`."""
        return await self._pipeline.draw(hole, which, draw)

    async def aclose(self) -> None:
        """End the child processes and close all connections."""
        if self._turning is not None:
            self._turning.cancel()
            await asyncio.wait({self._turning})
        await self._local.aclose()
        await self._org.aclose()
        await asyncio.to_thread(self._supply.close)
        await asyncio.to_thread(self._validator.close)

    async def _make_ready(self, hole: Hole) -> None:
        await self._local.make_ready()
        if self._org.configured and isinstance(await self._org.decision(hole), Allowed):
            await self._org.make_ready()
