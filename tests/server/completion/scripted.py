"""Model clients, validators and an organisation tier that do what a test tells them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from synconfroute.clients.model import Finish, GenerationRequest, Probe, State, Token
from synconfroute.server.completion.prompt import Ask
from synconfroute.server.completion.tiers import Served
from synconfroute.validators.mirror import Spot
from synconfroute.validators.verdict import Evidence, Outcome, Verdict

Step = Token | asyncio.Event | Exception
"""A token to yield, an event to wait for, or an error to raise."""

SURE = -0.05
UNSURE = -1.5


def words(text: str, logprob: float | None = SURE) -> list[Token]:
    """A text as tokens, one a word, each with its leading blank."""
    pieces = text.split(" ")
    return [Token(pieces[0], logprob), *(Token(f" {piece}", logprob) for piece in pieces[1:])]


class ScriptedStream:
    """Yields steps: a token, an event to wait for, or an error to raise."""

    def __init__(self, steps: Sequence[Step], log: list[str], name: str) -> None:
        self._steps = list(steps)
        self._log = log
        self._name = name
        self._closed = False

    @property
    def finish(self) -> Finish | None:
        """Ended by itself once all steps are used."""
        return None if self._steps else Finish("stop", 0)

    def __aiter__(self) -> AsyncIterator[Token]:
        return self

    async def __anext__(self) -> Token:
        await asyncio.sleep(0)
        while self._steps:
            step = self._steps.pop(0)
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, Exception):
                raise step
            else:
                return step
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Note that the stream was closed, once."""
        if not self._closed:
            self._log.append(f"{self._name} closed")
        self._closed = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


class ScriptedClient:
    """A model client whose streams follow a script; it logs what happens in order."""

    def __init__(
        self,
        name: str,
        *scripts: Sequence[Step] | Exception,
        log: list[str],
        probe: Probe | None = None,
    ) -> None:
        self.name = name
        self.address = f"http://127.0.0.1:1/{name}"
        self.model = f"{name}-model"
        self.requests: list[GenerationRequest] = []
        self._scripts = list(scripts)
        self._log = log
        self._probe = probe or Probe(State.READY, "ready", model=self.model, fim_family="qwen")

    def rename(self, model: str) -> None:
        """Serve a model of this name."""
        self.model = model
        self._probe = replace(self._probe, model=model)

    async def stream(self, request: GenerationRequest) -> ScriptedStream:
        """The next script's stream, or its error."""
        self.requests.append(request)
        self._log.append(f"{self.name} asked")
        script = self._scripts.pop(0)
        if isinstance(script, Exception):
            raise script
        return ScriptedStream(script, self._log, self.name)

    async def probe(self) -> Probe:
        """What the test says."""
        return self._probe

    async def aclose(self) -> None:
        """Nothing to close."""


class ScriptedLocal:
    """A local tier that serves one client, or fails."""

    def __init__(self, client: ScriptedClient, error: Exception | None = None) -> None:
        self.client = client
        self.error = error
        self.forgotten = 0

    async def served(self) -> Served:
        """The client, ready."""
        if self.error is not None:
            raise self.error
        ask = Ask("qwen", chat=True, grammar=False, context_tokens=2048)
        return Served(self.client, await self.client.probe(), ask, "a test says so")

    def failed(self, error: Exception) -> None:
        """Count it."""
        assert error is not None
        self.forgotten += 1

    def answered(self) -> None:
        """Nothing to count."""


class ScriptedValidator:
    """Judges by a function of the text."""

    def __init__(self, judge: Callable[[str], Outcome], log: list[str]) -> None:
        self._judge = judge
        self._log = log
        self.follows = True
        self.hangs_after: int | None = None
        """Verdicts after which none comes; None: they always come."""
        self.evidence: tuple[Evidence, ...] = ()

    def prepare(self, spot: Spot) -> None:
        """Note it."""
        self._log.append(f"prepared {spot.key}")

    async def judge(self, spot: Spot, text: str, *, deadline: float) -> Verdict | None:
        """The test's verdict, where the buffer is followed."""
        if not self.follows:
            return None
        self._log.append(f"judged {text!r} in {spot.key}")
        return Verdict(self._judge(text), "a test says so", self.evidence)

    async def validate(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        path: str | None = None,
        deadline: float,
    ) -> Verdict:
        """The test's verdict."""
        if self.hangs_after is not None:
            self.hangs_after -= 1
            if self.hangs_after < 0:
                await asyncio.Event().wait()
        self._log.append(f"judged {text!r}")
        return Verdict(self._judge(text), "a test says so", self.evidence)
