"""Ollama as a model client."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from synconfroute.clients.chat import chatml, is_chatml
from synconfroute.clients.connection import Connection
from synconfroute.clients.documents import json_object, word_of
from synconfroute.clients.faults import Peer, from_status, not_json
from synconfroute.clients.http import base_address, is_loopback, with_key
from synconfroute.clients.model import ChatPrompt, GenerationRequest, Probe, State, TokenStream
from synconfroute.clients.ollama.address import DEFAULT_ADDRESS
from synconfroute.clients.ollama.answer import OllamaReader
from synconfroute.clients.ollama.models import (
    SUGGESTED_MODEL,
    choose_code_model,
    device_of,
    fim_family,
    gives_logprobs,
    local_names,
    remote_host,
    template_of,
    trained_context,
)
from synconfroute.clients.ollama.pull import PullProgress, pull
from synconfroute.clients.probing import FIRST_ANSWER_SECONDS, PROBE_SECONDS, failed_probe
from synconfroute.errors import (
    ModelMissing,
    ModelServerError,
    RequestRefused,
    ServerUnreachable,
)


class Ollama:
    """One model of one Ollama.

    Requests are raw: our own FIM tokens, no template, no stop strings (a stop string that begins
    like code holds text back, and Ollama ≥ 0.30 then loses its log-probs). So is a chat where the
    model's template is ChatML, since Ollama would close the turn of an answer begun for the model.
    Options that would make Ollama load the model anew are the same in every request.
    """

    name = "ollama"

    def __init__(
        self,
        url: str = "",
        model: str = "",
        *,
        keep_alive: str = "30m",
        context_tokens: int = 4096,
        threads: int = 0,
        allow_remote: bool = False,
        api_key: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Nothing is sent before the first request.

        Args:
            url: its address; "": the usual one on this machine (see also `ollama_address`).
            model: the model; "": the best code model there, chosen at the first request.
            keep_alive: how long it stays in memory: a Go duration ("30m"), or seconds.
            context_tokens: the context to ask for; longer prompts are refused, never cut.
            threads: to generate with; 0: as Ollama chooses.
            allow_remote: code may leave this machine: the address may be another one, and the
                model one that Ollama runs in its cloud.
            api_key: bearer key of a proxy in front of it; Ollama itself wants none.
            headers: sent with each request.
        """
        self._url = url or DEFAULT_ADDRESS
        self._model = model
        self._keep_alive: str | int = (
            int(keep_alive) if re.fullmatch(r"-?[0-9]{1,9}", keep_alive) else keep_alive
        )
        self._context_tokens = context_tokens
        self._threads = threads
        self._allow_remote = allow_remote
        self._connection = Connection(self._url, with_key(headers, api_key))
        self._settled = False
        self._template = ""

    def __repr__(self) -> str:
        return f"Ollama({self.address!r}, {self._model!r})"

    @property
    def address(self) -> str:
        """Scheme, host, port and base path; no key."""
        return base_address(self._url) or "a wrong address"

    @property
    def model(self) -> str:
        """The model's name; "" until one was chosen."""
        return self._model

    async def stream(self, request: GenerationRequest) -> TokenStream:
        """Send the request and return its tokens once Ollama has accepted it.

        The first request also asks which model there is, and whether it really runs here.

        Raises:
            ModelServerError: Ollama refused, cannot be reached, or is not on this machine.
        """
        await self._settle()
        path, question = self._question(request)
        reader = OllamaReader(self._peer)
        return await self._connection.stream(self._peer, path, question, reader)

    async def probe(self) -> Probe:
        """Ask Ollama what it can do. Raises nothing; a fault is a state."""
        try:
            self._check_address()
            version = word_of(await self._ask("/api/version"), "version")
            if not version:
                raise not_json(self._peer)
            models = local_names(await self._ask("/api/tags"))
        except ModelServerError as error:
            return failed_probe(error, model=self._model)
        server = f"Ollama {version}"
        try:
            if not self._model:
                self._choose(models)
            description = await self._describe(PROBE_SECONDS)
            self._check_local(description)
            device = device_of(await self._ask("/api/ps"), self._model)
        except ModelServerError as error:
            failed = failed_probe(error, server, self._model)
            return Probe(failed.state, failed.message, server, self._model, models)
        return self._ready(version, models, description, device)

    async def pull(self, name: str, on_progress: Callable[[PullProgress], None]) -> None:
        """Have Ollama fetch a model. Cancelling stops it; a later pull goes on from there.

        Args:
            name: the model, such as "qwen2.5-coder:1.5b".
            on_progress: called for each report, several times a second.

        Raises:
            ModelMissing: there is no such model.
            ModelServerError: Ollama cannot be reached, or cannot fetch it.
        """
        await pull(self._connection, self._peer, name, on_progress)

    async def make_ready(self) -> None:
        """Have an open connection wait for the next request. Sends nothing."""
        if self._allow_remote or is_loopback(self._url):
            await self._connection.make_ready()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._connection.aclose()

    @property
    def _peer(self) -> Peer:
        return Peer(
            "Ollama",
            self.address,
            self._model,
            start="start it with `ollama serve`, or correct its address",
            missing=f"get it with `ollama pull {self._model or SUGGESTED_MODEL}`",
        )

    def _question(self, request: GenerationRequest) -> tuple[str, dict[str, Any]]:
        """Path and body. Without `truncate` and `shift` Ollama would cut a long prompt silently."""
        common = {
            "model": self._model,
            "stream": True,
            "think": False,
            "logprobs": True,
            "truncate": False,
            "shift": False,
            "keep_alive": self._keep_alive,
            "options": {
                "num_ctx": self._context_tokens,
                "num_predict": request.max_tokens,
                "temperature": request.temperature,
                "repeat_penalty": 1.0,
                "stop": [],
                **({"num_thread": self._threads} if self._threads else {}),
                **({} if request.seed is None else {"seed": request.seed}),
            },
        }
        prompt = request.prompt
        if not isinstance(prompt, ChatPrompt):
            return "/api/generate", {**common, "prompt": prompt.text, "raw": True}
        if is_chatml(self._template):
            text = chatml(prompt.system).around(prompt.user, prompt.prefill)
            return "/api/generate", {**common, "prompt": text, "raw": True}
        turns = [("system", prompt.system), ("user", prompt.user), ("assistant", prompt.prefill)]
        messages = [{"role": role, "content": text} for role, text in turns if text]
        return "/api/chat", {**common, "messages": messages}

    async def _settle(self) -> None:
        """Once: which model is it, is it there, and does it run here?"""
        if self._settled:
            return
        self._check_address()
        if not self._model:
            self._choose(local_names(await self._ask("/api/tags", seconds=FIRST_ANSWER_SECONDS)))
        self._check_local(await self._describe(FIRST_ANSWER_SECONDS))

    def _choose(self, models: tuple[str, ...]) -> None:
        self._model = choose_code_model(models) or ""
        if not self._model:
            raise ModelMissing(
                f"{self._peer} has no code model: get one with `ollama pull {SUGGESTED_MODEL}`."
            )

    def _check_local(self, description: dict[str, Any]) -> None:
        if remote_host(description) and not self._allow_remote:
            raise RequestRefused(
                f"The model {self._model!r} runs in Ollama's cloud, and `local.allow_remote` is"
                " off: take a model that runs here."
            )
        self._template = template_of(description)
        self._settled = True

    def _check_address(self) -> None:
        if not self._allow_remote and not is_loopback(self._url):
            raise RequestRefused(
                f"{self._peer} is not on this machine, and `local.allow_remote` is off: nothing"
                " is sent there."
            )

    async def _describe(self, seconds: float) -> dict[str, Any]:
        return await self._ask("/api/show", {"model": self._model}, seconds=seconds)

    async def _ask(
        self,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        seconds: float = PROBE_SECONDS,
    ) -> dict[str, Any]:
        reply = await self._connection.ask(self._peer, path, body, seconds=seconds)
        if reply.status == 403 and not reply.body:
            raise ServerUnreachable(
                f"{self._peer} does not take requests under this host name: write 127.0.0.1 or"
                " localhost in its address."
            )
        if not 200 <= reply.status < 300:
            raise from_status(reply.status, reply.headers, reply.body, self._peer)
        return json_object(reply.body, self._peer)

    def _ready(
        self,
        version: str,
        models: tuple[str, ...],
        description: dict[str, Any],
        device: str | None,
    ) -> Probe:
        logprobs = gives_logprobs(version)
        message = f"Ollama {version} at {self.address} serves {self._model}."
        if logprobs is False:
            message = (
                f"Ollama {version} at {self.address} gives no log-probs, so confidence is unknown:"
                " update it to 0.12.11 or later."
            )
        trained = trained_context(description)
        return Probe(
            State.READY,
            message,
            server=f"Ollama {version}",
            model=self._model,
            models=models,
            logprobs=logprobs,
            fim_family=fim_family(description, self._model),
            context_tokens=min(trained or self._context_tokens, self._context_tokens),
            device=device,
        )
