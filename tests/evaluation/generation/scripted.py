"""A model that answers what a test tells it, and keeps what it was asked."""

import asyncio

from synconfroute.clients.model import GenerationRequest, Probe, State, Token
from synconfroute.errors import ServerBusy
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import Ask, Build
from synconfroute.server.completion.tiers import Served
from tests.server.completion.scripted import ScriptedClient

FIM = Ask("qwen", chat=True, grammar=False, context_tokens=2048)


def served(ask: Ask = FIM) -> Served:
    """A model that was found ready."""
    probe = Probe(State.READY, "ready", server="Ollama 0.24.0", model="tiny", fim_family=ask.family)
    return Served(ScriptedClient("ollama", log=[], probe=probe), probe, ask, "a test says so")


class ScriptedSource:
    """Answers every hole with the same draft, or raises."""

    def __init__(self, *tokens: Token, ending: str = "closed", ask: Ask = FIM) -> None:
        self.requests: list[GenerationRequest] = []
        self.single_line: list[bool] = []
        self.stop: list[bool] = []
        self.fault: Exception | None = None
        self.hangs = False
        self.busy = 0
        self._ask = ask
        self._draft = Draft(
            tokens, "".join(token.text for token in tokens), 0, finished=True, ending=ending
        )

    async def ready(self) -> Served:
        """It is ready."""
        return served(self._ask)

    async def draft(self, hole: Hole, build: Build, extent: Extent, *, stop: bool) -> Draft:
        """The draft of the test."""
        self.requests.append(build(hole, self._ask, max_tokens=extent.max_tokens, request_id="r"))
        self.single_line.append(extent.single_line)
        self.stop.append(stop)
        if self.fault is not None:
            raise self.fault
        if self.busy:
            self.busy -= 1
            raise ServerBusy("busy")
        if self.hangs:
            await asyncio.Event().wait()
        return self._draft

    async def aclose(self) -> None:
        """Nothing to close."""
