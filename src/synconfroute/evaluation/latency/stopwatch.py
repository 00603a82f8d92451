"""When the tokens of an answer came: a client between a source and its model server."""

import time
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from synconfroute.clients.model import (
    CountsTokens,
    Finish,
    GenerationRequest,
    ModelClient,
    Probe,
    TextPrompt,
    Token,
    TokenStream,
)
from synconfroute.evaluation.latency.document import CountedBy
from synconfroute.server.completion.budget import Count, estimated_tokens


class Stopwatch:
    """Notes when each token of the latest answer came, and passes everything on."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.came: list[float] = []
        self._count: Count = estimated_tokens
        self._request: GenerationRequest | None = None
        self._stream: TokenStream | None = None

    def on(self, client: ModelClient) -> ModelClient:
        """A client that is watched."""
        self._count = client.count_tokens if isinstance(client, CountsTokens) else estimated_tokens
        return _Watched(client, self)

    def prompt_tokens(self) -> tuple[int, CountedBy]:
        """Tokens of the latest prompt: by the server where its answer says, else an estimate.

        A stream that is closed early says nothing. Of a chat the template's words are not counted.
        """
        finish = self._stream.finish if self._stream is not None else None
        if finish is not None and finish.prompt_tokens is not None:
            return finish.prompt_tokens, "server"
        if self._request is None:
            return 0, "estimate"
        prompt = self._request.prompt
        text = prompt.text if isinstance(prompt, TextPrompt) else f"{prompt.system}{prompt.user}"
        return self._count(text), "estimate"

    def begin(self, request: GenerationRequest) -> None:
        """A request leaves; where one is sent again, the last one's tokens count."""
        self.came = []
        self._request = request
        self._stream = None

    def answers(self, stream: TokenStream) -> None:
        """The stream of its answer."""
        self._stream = stream

    def tick(self) -> None:
        """A token came."""
        self.came.append(time.perf_counter())


class _Watched:
    """A client that tells a stopwatch."""

    def __init__(self, client: ModelClient, watch: Stopwatch) -> None:
        self._client = client
        self._watch = watch

    @property
    def name(self) -> str:
        return self._client.name

    @property
    def address(self) -> str:
        return self._client.address

    @property
    def model(self) -> str:
        return self._client.model

    async def stream(self, request: GenerationRequest) -> TokenStream:
        self._watch.begin(request)
        stream = await self._client.stream(request)
        self._watch.answers(stream)
        return _WatchedStream(stream, self._watch)

    async def probe(self) -> Probe:
        return await self._client.probe()

    async def aclose(self) -> None:
        await self._client.aclose()


class _WatchedStream:
    """A stream whose tokens are noted."""

    def __init__(self, stream: TokenStream, watch: Stopwatch) -> None:
        self._stream = stream
        self._watch = watch

    @property
    def finish(self) -> Finish | None:
        return self._stream.finish

    def __aiter__(self) -> AsyncIterator[Token]:
        return self

    async def __anext__(self) -> Token:
        token = await anext(self._stream)
        self._watch.tick()
        return token

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
