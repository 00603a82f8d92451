"""Which model serves which tier."""

import os
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from synconfroute.clients.keys import KeptKey, from_file, from_keyring
from synconfroute.clients.model import CountsTokens, ModelClient, Probe, State
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.errors import (
    KeyRefused,
    ModelMissing,
    ModelServerError,
    ServerBusy,
    ServerUnreachable,
    SettingsError,
    SynConfRouteError,
    WeightsMissing,
)
from synconfroute.server.completion.budget import Count
from synconfroute.server.completion.prompt import Ask, how_to_ask
from synconfroute.server.settings.tree import Org, Settings

_FAULTS: dict[State, type[SynConfRouteError]] = {
    State.UNREACHABLE: ServerUnreachable,
    State.KEY_REFUSED: KeyRefused,
    State.MODEL_MISSING: ModelMissing,
    State.NOT_A_SERVER: ServerUnreachable,
    State.NO_WEIGHTS: WeightsMissing,
}


@dataclass(frozen=True, slots=True)
class Served:
    """A model that was found able to answer, and how it is asked.

    Attributes:
        client: the connection to it.
        probe: what it can do.
        ask: how a prompt for it is made.
        why: one sentence: why this one.
    """

    client: ModelClient
    probe: Probe
    ask: Ask
    why: str

    @property
    def model(self) -> str:
        """The model's name on its server."""
        return self.probe.model or self.client.model


@dataclass(frozen=True, slots=True)
class Choice:
    """The local tier that was chosen, able to answer or not.

    Attributes:
        client: the connection to it.
        probe: what was found there.
        why: one sentence: why this one.
        passed_over: what was found at an Ollama that was asked first, if any.
    """

    client: ModelClient
    probe: Probe
    why: str
    passed_over: Probe | None = None


async def choose_local(settings: Settings, clients: "LocalClients") -> Choice:
    """The local tier by `local.provider`.

    "auto" is a running Ollama with a code model, else the embedded engine.

    Raises:
        SettingsError: the address is not this machine and `local.allow_remote` is not set.
    """
    provider = settings.local.provider
    if provider != "auto":
        client = clients.get(provider)
        return Choice(client, await client.probe(), f"local.provider is {provider}")
    ollama = clients.get("ollama")
    found = await ollama.probe()
    if found.ready and _is_code_model(found, settings):
        return Choice(ollama, found, f"{found.server or 'Ollama'} runs here and has a code model")
    embedded = clients.get("embedded")
    if found.state is State.UNREACHABLE:
        why = "no Ollama runs here"
    else:
        why = f"Ollama cannot serve a code model: {found.message}"
    return Choice(embedded, await embedded.probe(), why, passed_over=found)


class LocalClients:
    """Connections to the servers that may be the local tier, each made once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: dict[str, ModelClient] = {}

    def get(self, provider: str) -> ModelClient:
        """The client of "ollama", "openai" or "embedded".

        Raises:
            SettingsError: its address is missing, or is not this machine's.
        """
        if provider not in self._clients:
            make = {"ollama": _ollama, "openai": _openai, "embedded": _embedded}[provider]
            self._clients[provider] = make(self._settings)
        return self._clients[provider]

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()


def served(choice: Choice, settings: Settings) -> Served:
    """The chosen local tier, ready to be asked.

    Raises:
        ModelServerError: it is not ready; the sentence says why and what mends it.
        EngineError: the embedded engine has no weights.
    """
    _require_ready(choice.probe)
    ask = how_to_ask(
        choice.probe,
        fim=settings.local.fim,
        chat=choice.client.name != "openai" or choice.probe.chats,
        context_tokens=settings.local.context_tokens,
        count=_count(choice.client),
    )
    return Served(choice.client, choice.probe, ask, choice.why)


def org_client(settings: Settings) -> ModelClient | None:
    """A connection to the organisation's server, or None while no address is set."""
    if not settings.org.url:
        return None
    from synconfroute.clients.affinity import Affinity
    from synconfroute.clients.openai import OpenAICompatible, Precedence
    from synconfroute.clients.openai.precedence import LATER
    from synconfroute.clients.transport import Transport

    org = settings.org
    return OpenAICompatible(
        org.url,
        org.model,
        api_key=org.api_key,
        headers=org.headers,
        key=_kept_key(org),
        affinity=Affinity(org.session_header, org.echo_headers, org.echo_cookies),
        precedence=Precedence(0 if org.priority == "off" else LATER, org.automatic_headers),
        transport=Transport(
            ca_file=_expanded(org.ca_file),
            client_certificate=_expanded(org.client_certificate),
            client_key=_expanded(org.client_key),
            proxy=org.proxy,
            no_proxy=org.no_proxy,
            plain_http=org.allow_http,
        ),
    )


def _kept_key(org: Org) -> KeptKey | None:
    """The key in a file or in the keyring, where none is set; the file comes first."""
    if org.api_key:
        return None
    if org.api_key_file:
        return KeptKey(partial(from_file, _expanded(org.api_key_file)))
    return KeptKey(partial(from_keyring, org.keyring)) if org.keyring else None


def _expanded(path: str) -> str:
    return os.path.expanduser(path) if path else ""


async def served_org(client: ModelClient, settings: Settings) -> Served:
    """The organisation's tier, ready to be asked. Sends no code.

    Raises:
        ModelServerError: it is not ready; the sentence says why and what mends it.
    """
    probe = await client.probe()
    _require_ready(probe)
    limits = settings.limits
    several = 0 if limits.lines == "single" else limits.multi_line_tokens
    ask = how_to_ask(
        probe,
        fim=settings.org.fim,
        chat=probe.chats,
        context_tokens=settings.org.context_tokens,
        longest_answer=max(limits.single_line_tokens, several),
    )
    return Served(client, probe, ask, "org.url is set")


def _count(client: ModelClient) -> Count:
    """How the tokens of a local prompt are counted.

    Never so for the organisation's server: asking its tokenizer would send code that no line of the
    ledger is about.
    """
    return client.count_tokens if isinstance(client, CountsTokens) else estimated_tokens


def _require_ready(probe: Probe) -> None:
    if probe.state is State.LOADING:
        raise ServerBusy(probe.message, probe.retry_after)
    if probe.state is not State.READY:
        raise _FAULTS.get(probe.state, ModelServerError)(probe.message)


def _is_code_model(found: Probe, settings: Settings) -> bool:
    """A model that the user named counts as one."""
    return bool(settings.local.model) or found.fim_family is not None


def _ollama(settings: Settings) -> ModelClient:
    from synconfroute.clients.ollama import Ollama, ollama_address

    address = settings.local.url or ollama_address(os.environ)
    _require_this_machine(address, settings)
    return Ollama(
        address,
        settings.local.model,
        keep_alive=settings.local.keep_alive,
        context_tokens=settings.local.context_tokens,
        threads=settings.local.threads,
        allow_remote=settings.local.allow_remote,
        api_key=settings.local.api_key,
    )


def _openai(settings: Settings) -> ModelClient:
    from synconfroute.clients.openai import OpenAICompatible

    if not settings.local.url:
        raise SettingsError(
            "local.provider is openai but local.url is empty: set local.url to the address of the"
            " local server, such as http://127.0.0.1:8080/v1."
        )
    _require_this_machine(settings.local.url, settings)
    return OpenAICompatible(
        settings.local.url,
        settings.local.model,
        api_key=settings.local.api_key,
        headers={},
        learn_tokens=True,
    )


def _embedded(settings: Settings) -> ModelClient:
    from synconfroute.clients.embedded import Embedded

    return Embedded(
        settings.local.model,
        threads=settings.engine.threads or settings.local.threads,
        idle_minutes=settings.engine.idle_minutes,
    )


def _require_this_machine(address: str, settings: Settings) -> None:
    """The local tier's address is this machine unless the user's own settings say otherwise."""
    from synconfroute.clients.http import is_loopback

    if not settings.local.allow_remote and not is_loopback(address):
        raise SettingsError(
            f"The local model's address {urlsplit(address).hostname or address} is not this"
            " machine: use one on 127.0.0.1, or set local.allow_remote = true in your settings."
        )
