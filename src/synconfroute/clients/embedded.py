"""The embedded engine as a model client: started on demand, reached over loopback."""

import asyncio
import importlib.util
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from synconfroute.clients.chat import ChatFrame
from synconfroute.clients.connection import Connection
from synconfroute.clients.engine.answer import CompletionReader
from synconfroute.clients.engine.chat import chat_frame
from synconfroute.clients.engine.gguf import read_facts, vocabulary
from synconfroute.clients.engine.line import ForcedLine, forced_line
from synconfroute.clients.engine.process import EngineOptions
from synconfroute.clients.engine.start import START_SECONDS, find, find_or_start
from synconfroute.clients.engine.state import EngineState, is_that_process, known_speed
from synconfroute.clients.engine.store import check, list_models, name_of, resolve
from synconfroute.clients.faults import Peer
from synconfroute.clients.fim import family_of
from synconfroute.clients.fim_families import FAMILIES
from synconfroute.clients.gbnf import beginning
from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    Probe,
    State,
    TextPrompt,
    TokenStream,
)
from synconfroute.clients.token_counts import TokenCounts
from synconfroute.clients.tokenizing import Learning, llama_lengths
from synconfroute.errors import (
    EngineError,
    EngineFailed,
    ServerUnreachable,
    StaleConnection,
    SynConfRouteError,
)

PROMPT_SECONDS = 1.5
"""The longest cold evaluation of a prompt: an engine finishes it even when it is cancelled."""
UNMEASURED_PROMPT_TOKENS = 300
LEAST_PROMPT_TOKENS = 128
"""Below this a prompt says too little, however slow the machine is."""
_GONE_SECONDS = 0.2


class Embedded:
    """The engine of this user; all clients of all processes share it."""

    def __init__(
        self,
        model: str = "",
        *,
        idle_minutes: float = 15.0,
        threads: int = 0,
        context_tokens: int = 2048,
        start_seconds: float = START_SECONDS,
    ) -> None:
        """Nothing is started, and no file read, before the first request or probe.

        Args:
            model: a known name, a .gguf file, or "" for the best on this machine.
            idle_minutes: an engine that this client starts ends after so long without a request.
            threads: of such an engine; 0: chosen.
            context_tokens: of such an engine.
            start_seconds: the longest wait for it.
        """
        self._model = model
        self._options = EngineOptions(idle_minutes, threads, context_tokens)
        self._start_seconds = start_seconds
        self._engine: EngineState | None = None
        self._connection: Connection | None = None
        self._frames: dict[str, ChatFrame] = {}
        self._counts = TokenCounts()
        self._learning = Learning(self._counts)

    @property
    def name(self) -> str:
        """Which client this is."""
        return "embedded"

    @property
    def address(self) -> str:
        """The engine has no address of its own to show: it changes with each start."""
        return "embedded"

    @property
    def model(self) -> str:
        """The model's name: the one that answered last, else the one asked for."""
        return name_of(Path(self._engine.model)) if self._engine else self._model

    async def stream(self, request: GenerationRequest) -> TokenStream:
        """Send the request, after starting the engine if none runs.

        Raises:
            EngineError: the engine does not start, or has no weights.
            UsageError: the model's name is not known.
            ModelServerError: the engine refused, or died twice.
        """
        try:
            return await self._ask(request)
        except StaleConnection:
            return await self._ask(request)
        except ServerUnreachable:
            # It left or died between being found and being asked. The moment is for a killed
            # process to be gone; then the next one is a new one.
            await asyncio.sleep(_GONE_SECONDS)
            return await self._ask(request)

    async def probe(self) -> Probe:
        """What the engine can do, without starting it. Raises nothing."""
        if importlib.util.find_spec("xllamacpp") is None:
            return Probe(
                State.UNREACHABLE,
                "The embedded engine is not installed: there is no llama.cpp for this platform.",
            )
        try:
            return await asyncio.to_thread(self._look)
        except EngineError as error:
            return Probe(State.NO_WEIGHTS, str(error), model=self._model)
        except SynConfRouteError as error:
            return Probe(State.MODEL_MISSING, str(error), model=self._model)

    def count_tokens(self, text: str) -> int:
        """The most tokens that a text has: exact where its lines were asked about before."""
        return self._counts.count(text)

    async def make_ready(self) -> None:
        """Have an open connection wait, if an engine was asked before. Starts none."""
        if self._connection is not None:
            await self._connection.make_ready()

    async def aclose(self) -> None:
        """Close the connections. The engine goes on: other windows may use it."""
        await self._learning.aclose()
        connection, self._connection = self._connection, None
        self._engine = None
        if connection is not None:
            await connection.aclose()

    async def _ask(self, request: GenerationRequest) -> TokenStream:
        engine = await asyncio.to_thread(
            find_or_start, self._model, self._options, self._start_seconds
        )
        connection = await self._connect(engine)
        peer = _peer(engine)
        line = None if request.grammar is None else forced_line(request.grammar)
        prompt = await self._text(connection, peer, request.prompt)
        reader = CompletionReader(
            peer,
            max_tokens=request.max_tokens,
            lead=None if line is None else line.lead,
            stop_token_ids=request.stop_token_ids,
        )
        body = _body(request, prompt, line)
        stream = await connection.stream(peer, "/completion", body, reader)
        self._learning.begin(partial(llama_lengths, connection, peer))
        return stream

    async def _connect(self, engine: EngineState) -> Connection:
        """The connection to that engine; one to an engine that is gone is closed."""
        before = self._connection
        if before is not None and self._engine is not None and self._engine.url == engine.url:
            return before
        if self._engine is not None and self._engine.model != engine.model:
            self._counts.forget()
        self._engine = engine
        self._frames.clear()
        self._connection = connection = Connection(
            engine.url,
            {"Authorization": f"Bearer {engine.secret}"},
            is_ours=partial(is_that_process, engine),
        )
        if before is not None:
            await before.aclose()
        return connection

    async def _text(
        self, connection: Connection, peer: Peer, prompt: TextPrompt | ChatPrompt
    ) -> str:
        """The prompt as text: a chat is put into the model's own template."""
        if isinstance(prompt, TextPrompt):
            return prompt.text
        if prompt.system not in self._frames:
            self._frames[prompt.system] = await chat_frame(connection, peer, prompt.system)
        return self._frames[prompt.system].around(prompt.user, prompt.prefill)

    def _look(self) -> Probe:
        """Find out what there is. Blocks.

        Raises:
            EngineError: there are no weights, or they are damaged.
            UsageError: the model's name is not known.
        """
        import importlib.metadata

        path = resolve(self._model)
        check(path)
        engine = _ready_engine()
        if engine is not None and not self._model:
            path = Path(engine.model)
        facts = read_facts(path)
        family = family_of(architecture=facts.architecture, names=(facts.name, path.stem))
        most = facts.context_tokens or self._options.context_tokens
        found = Probe(
            State.READY,
            f"The embedded engine starts with {name_of(path)} at the first request.",
            server=f"llama.cpp (xllamacpp {importlib.metadata.version('xllamacpp')})",
            model=name_of(path),
            models=tuple(model.name for model in list_models()),
            logprobs=True,
            fim_family=family if family and _knows(path, family) else None,
            grammar=True,
            context_tokens=min(self._options.context_tokens, most),
            prompt_tokens=prompt_tokens(known_speed(path)),
            heals=True,
        )
        if engine is None or Path(engine.model) != path:
            return found
        return replace(
            found,
            message=f"The embedded engine answers with {found.model}.",
            context_tokens=engine.context_tokens,
            device=engine.device,
            prompt_tokens=prompt_tokens(engine.prefill_speed),
        )


def _ready_engine() -> EngineState | None:
    try:
        engine = find()
    except EngineFailed:  # just being started: as good as not there
        return None
    return engine if engine is not None and engine.ready else None


def prompt_tokens(speed: float | None) -> int:
    """The longest prompt that is evaluated within `PROMPT_SECONDS`.

    Args:
        speed: prompt tokens a second, or None where it was never measured.
    """
    if not speed:
        return UNMEASURED_PROMPT_TOKENS
    return max(LEAST_PROMPT_TOKENS, int(PROMPT_SECONDS * speed))


def _knows(path: Path, family: str) -> bool:
    """True if the family's control tokens are tokens of the model.

    A model's name may promise what its file does not hold.
    """
    holds = vocabulary(path)
    # SentencePiece writes a token that begins a word with this mark for the blank before it.
    return all(holds(token) or holds(f"▁{token}") for token in FAMILIES[family].markers)


def _body(request: GenerationRequest, prompt: str, line: ForcedLine | None) -> dict[str, Any]:
    body: dict[str, Any] = {
        "prompt": prompt,
        "n_predict": request.max_tokens,
        "temperature": request.temperature,
        "n_probs": 1,
        "cache_prompt": True,
        "stream": True,
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if line is not None:
        body["prompt"] = prompt + line.before
        body["n_predict"] = request.max_tokens + len(line.lead) + 1
        body["grammar"] = line.gbnf
    elif request.heal:
        body["grammar"] = beginning(request.heal)
    return body


def _peer(engine: EngineState) -> Peer:
    return Peer(
        title="llama.cpp (the embedded engine)",
        address=engine.url,
        model=name_of(Path(engine.model)),
        start="the next request starts it again",
    )
