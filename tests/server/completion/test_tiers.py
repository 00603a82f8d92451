"""How the model that serves a tier is asked."""

import pytest

from synconfroute.clients.model import ModelClient, Probe, State
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.server.completion.tiers import Choice, LocalClients, served, served_org
from synconfroute.server.settings.tree import Local, Org, Settings
from tests.server.completion.scripted import ScriptedClient

LOCAL = Settings(local=Local(provider="openai", url="http://127.0.0.1:1/v1"))


@pytest.mark.parametrize("chats", [True, False])
@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_model_without_fim_is_asked_by_chat_where_that_goes_on(
    provider: str, chats: bool
) -> None:
    """Ollama's always does; of other servers' the probe says so; else it reads left to right."""
    probe = Probe(State.READY, "ready", model="m", chats=chats)
    client = ScriptedClient(provider, log=[])
    ask = served(Choice(client, probe, "a test says so"), LOCAL).ask
    assert (ask.family, ask.chat) == (None, chats or provider == "ollama")


@pytest.mark.parametrize("chats", [True, False])
async def test_the_organisations_model_is_asked_in_the_same_way(chats: bool) -> None:
    """By chat where its probe found that the chat goes on."""
    probe = Probe(State.READY, "ready", model="m", chats=chats)
    org = ScriptedClient("openai", log=[], probe=probe)
    assert (await served_org(org, Settings(org=Org(url="http://127.0.0.1:1")))).ask.chat == chats


async def test_only_local_prompts_are_cut_by_the_servers_tokenizer() -> None:
    """The organisation's is never asked beside the requests that the ledger knows."""
    clients = LocalClients(LOCAL)
    client: ModelClient = clients.get("openai")
    assert isinstance(client, OpenAICompatible)
    probe = Probe(State.READY, "ready", model="m", fim_family="qwen")
    assert served(Choice(client, probe, ""), LOCAL).ask.count == client.count_tokens
    org = ScriptedClient("openai", log=[], probe=probe)
    ask = (await served_org(org, Settings(org=Org(url="http://127.0.0.1:1")))).ask
    assert ask.count == estimated_tokens
    await clients.aclose()
