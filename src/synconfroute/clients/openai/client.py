"""OpenAI-compatible servers (vLLM, llama.cpp, gateways in front of them) as model clients."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from synconfroute.clients.affinity import Affinity
from synconfroute.clients.connection import Connection
from synconfroute.clients.documents import objects_of, word_of
from synconfroute.clients.faults import Peer, not_json
from synconfroute.clients.fim import family_of
from synconfroute.clients.gbnf import beginning
from synconfroute.clients.http import base_address, with_key
from synconfroute.clients.keys import KeptKey
from synconfroute.clients.model import ChatPrompt, GenerationRequest, Probe, State, TokenStream
from synconfroute.clients.openai.address import api_base, server_root
from synconfroute.clients.openai.answer import CompletionReader
from synconfroute.clients.openai.models import Served, Software, served_by, software_of
from synconfroute.clients.openai.precedence import Precedence
from synconfroute.clients.probing import FIRST_ANSWER_SECONDS, PROBE_SECONDS, failed_probe, named
from synconfroute.clients.token_counts import TokenCounts
from synconfroute.clients.tokenizing import Learning, llama_lengths, vllm_lengths
from synconfroute.clients.transport import Transport
from synconfroute.errors import KeyRefused, ModelMissing, ModelServerError

_BEGUN = ChatPrompt("Count to five.", prefill="1, 2,")


class OpenAICompatible:
    """One model of one server that speaks OpenAI's /completions, and /chat/completions for chats.

    No stop strings are sent: vLLM takes at most four, and holds back text that might begin one.
    Answers end at the model's own end tokens, or when the stream is closed.
    """

    name = "openai"

    def __init__(  # noqa: PLR0913 - facts about one server, each by its name
        self,
        url: str,
        model: str = "",
        *,
        api_key: str = "",
        headers: Mapping[str, str] | None = None,
        learn_tokens: bool = False,
        transport: Transport | None = None,
        key: KeptKey | None = None,
        affinity: Affinity | None = None,
        precedence: Precedence | None = None,
    ) -> None:
        """Nothing is sent before the first request.

        Args:
            url: base address, with or without /v1, below any path.
            model: the model; "": the first that the server offers.
            api_key: bearer key; an Authorization header of your own takes precedence.
            headers: sent with each request.
            transport: how it is reached.
            key: the bearer key, where it is kept elsewhere.
            learn_tokens: ask its tokenizer about the code of prompts, beside the requests.
            affinity: what its routers know the session by.
            precedence: how a request that nobody asked for lets others pass; None: it does not.
        """
        self._base = api_base(url)
        self._model = model
        every = with_key(headers, api_key)
        self._connection = Connection(
            self._base, every, transport=transport, key=key, affinity=affinity
        )
        self._root = Connection(server_root(self._base), every, transport=transport, key=key)
        self._precedence = precedence or Precedence()
        self._grammar = False
        self._owner = ""
        self._learn_tokens = learn_tokens
        self._counts = TokenCounts()
        self._learning = Learning(self._counts)

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.address!r}, {self._model!r})"

    @property
    def address(self) -> str:
        """Scheme, host, port and base path; no key."""
        return base_address(self._base) or "a wrong address"

    @property
    def model(self) -> str:
        """The model's name; "" until the first request has asked for it."""
        return self._model

    async def stream(self, request: GenerationRequest) -> TokenStream:
        """Send the request and return its tokens once the server has accepted it.

        Raises:
            ModelServerError: the server refused or cannot be reached.
        """
        if not self._model:
            self._model = (await self._offered(FIRST_ANSWER_SECONDS))[0].name
        path, question = _question(request)
        body: dict[str, Any] = {
            "model": self._model,
            **question,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.seed is not None:
            body["seed"] = request.seed
        if request.heal and self._grammar:
            body["grammar"] = beginning(request.heal)
        if request.stop_token_ids:
            body["stop_token_ids"] = list(request.stop_token_ids)
        headers = {"X-Request-Id": request.request_id} if request.request_id else {}
        if request.traceparent:
            headers["traceparent"] = request.traceparent
        if request.automatic:
            body |= self._precedence.members
            headers |= self._precedence.headers
        reader = CompletionReader(self._peer)
        stream = await self._connection.stream(self._peer, path, body, reader, headers)
        self._learn()
        return stream

    async def probe(self) -> Probe:
        """Ask the server what it can do. Raises nothing; a fault is a state."""
        try:
            offered = await self._offered(PROBE_SECONDS)
            software = await self._software(offered)
        except ModelServerError as error:
            return failed_probe(error, model=self._model)
        names = tuple(served.name for served in offered)
        model = self._model or names[0]
        served = next((served for served in offered if served.answers_to(model)), None)
        if served is None and not software.takes_any_name:
            message = f"{self._peer} does not have the model {model!r}, but {named(names)}."
            return Probe(State.MODEL_MISSING, message, software.title, model, names)
        served = served or offered[0]
        self._grammar, self._owner = software.grammar, offered[0].owner
        family = family_of(names=[served.root, served.name, model])
        return Probe(
            State.READY,
            f"{software.title or 'A server'} at {self.address} serves {served.name}{software.but}.",
            server=software.title,
            model=model,
            models=names,
            logprobs=software.logprobs,
            fim_family=family,
            context_tokens=served.context_tokens,
            heals=software.grammar,
            chats=family is None and software.prefills and await self._goes_on(model),
        )

    def count_tokens(self, text: str) -> int:
        """The most tokens that a text has: exact where its lines were asked about before."""
        return self._counts.count(text)

    async def make_ready(self) -> None:
        """Have an open connection wait for the next request. Sends nothing."""
        await self._connection.make_ready()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._learning.aclose()
        await self._connection.aclose()
        await self._root.aclose()

    @property
    def _peer(self) -> Peer:
        return Peer(
            "The model server",
            self.address,
            self._model,
            start="start it, or correct the address",
            missing="correct the name, or leave it empty for the one it serves",
        )

    def _learn(self) -> None:
        if not self._learn_tokens:
            return
        if self._owner == "llamacpp":
            self._learning.begin(partial(llama_lengths, self._root, self._peer))
        elif self._owner == "vllm":
            self._learning.begin(partial(vllm_lengths, self._root, self._peer, self._model))

    async def _offered(self, seconds: float) -> tuple[Served, ...]:
        """The models that the server offers, at least one."""
        listing = await self._connection.ask_json(self._peer, "/models", seconds=seconds)
        if not isinstance(listing.get("data"), list):
            raise not_json(self._peer)
        offered = tuple(served_by(entry) for entry in objects_of(listing, "data"))
        offered = tuple(served for served in offered if served.name)
        if not offered:
            raise ModelMissing(f"{self._peer} offers no model: load one there.")
        return offered

    async def _goes_on(self, model: str) -> bool:
        """Does the chat go on with a begun answer? A base model has none. Sends no code."""
        _, question = _question(GenerationRequest(_BEGUN, 1))
        body = {"model": model, **question, "max_tokens": 1, "temperature": 0.0}
        try:
            await self._connection.ask_json(
                self._peer, "/chat/completions", body, seconds=PROBE_SECONDS
            )
        except ModelServerError:
            return False
        return True

    async def _software(self, offered: tuple[Served, ...]) -> Software:
        """What program it is. llama.cpp lists its models to everybody; /props shows a wrong key.

        Raises:
            KeyRefused: the key is wrong after all.
        """
        owner = offered[0].owner
        try:
            if owner == "llamacpp":
                props = await self._root.ask_json(self._peer, "/props", seconds=PROBE_SECONDS)
                return software_of(owner, word_of(props, "build_info"))
            if owner == "vllm":
                version = await self._root.ask_json(self._peer, "/version", seconds=PROBE_SECONDS)
                return software_of(owner, word_of(version, "version"))
        except KeyRefused:
            if owner == "llamacpp":
                raise
        except ModelServerError:
            pass
        return software_of(owner, "")


def _question(request: GenerationRequest) -> tuple[str, dict[str, Any]]:
    """Where a prompt goes, and the members of the body that this path has for it."""
    prompt = request.prompt
    if not isinstance(prompt, ChatPrompt):
        # vLLM gives the sampled token's log-prob from 0 on, llama.cpp only from 1 on.
        return "/completions", {"prompt": prompt.text, "logprobs": 1}
    turns = [("system", prompt.system), ("user", prompt.user), ("assistant", prompt.prefill)]
    question: dict[str, Any] = {
        "messages": [{"role": role, "content": text} for role, text in turns if text],
        "logprobs": True,
    }
    if prompt.prefill:  # vLLM and llama.cpp would begin a new turn behind it
        question |= {"add_generation_prompt": False, "continue_final_message": True}
    return "/chat/completions", question
