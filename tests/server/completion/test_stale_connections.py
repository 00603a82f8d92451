"""A server that had just closed a connection: asked once more, with a line in the ledger each."""

from pathlib import Path
from typing import Any

import pytest

from synconfroute.clients.model import GenerationRequest, TextPrompt, TokenStream
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.errors import StaleConnection
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.generation import begin
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.settings.tree import Org, Settings
from tests.clients.replay import ReplayServer, case, recorded
from tests.ledger_lines import lines_in

ROUTES = {
    "POST /v1/completions": recorded(case("vllm-0.32.0", "completions-fim-python")),
    "GET /v1/models": recorded(case("vllm-0.32.0", "models")),
    "GET /version": recorded(case("vllm-0.32.0", "version")),
}


class Stale(OpenAICompatible):
    """Its first connections turn out to be closed."""

    def __init__(self, url: str, times: int) -> None:
        super().__init__(url)
        self._times = times

    async def stream(self, request: GenerationRequest) -> TokenStream:
        """Fail so often, then ask."""
        if self._times:
            self._times -= 1
            raise StaleConnection("A server has closed the connection.")
        return await super().stream(request)


async def escalated(folder: Path, times: int) -> str:
    """The organisation's answer, or "" where it could not be had."""
    async with ReplayServer(ROUTES) as server:
        settings = Settings(org=Org(url=server.url, fim="qwen"))
        tier = OrgTier(settings, Ledger(folder / "ledger"), Stale(server.url, times))
        hole = Hole("python", "def f(a, b):\n    ", "\n", path=str(folder / "a.py"))
        try:
            draft = await tier.ask(hole, "invalid", "r", Extent(single_line=True, max_tokens=8))
        finally:
            await tier.aclose()
        return draft.text


def statuses(folder: Path) -> list[Any]:
    """How the requests in the ledger ended."""
    return [line["status"] for line in lines_in((folder / "ledger").glob("*.jsonl"), "ended")]


async def test_the_organisations_server_is_asked_once_more(tmp_path: Path) -> None:
    """Nothing came back, but the bytes may have left: so there are two lines."""
    assert await escalated(tmp_path, 1)
    assert statuses(tmp_path) == ["asked_anew", "answered"]


async def test_no_further(tmp_path: Path) -> None:
    """A server that always hangs up is not there."""
    with pytest.raises(StaleConnection):
        await escalated(tmp_path, 2)
    assert statuses(tmp_path) == ["asked_anew", "stale_connection"]


async def test_the_local_model_is_asked_once_more() -> None:
    """At once; nobody sees anything of it."""
    async with ReplayServer(ROUTES) as server:
        client = Stale(server.url, 1)
        request = GenerationRequest(TextPrompt("def f(a, b):\n    "), max_tokens=8)
        generation = await begin(client, lambda _: request, single_line=True)
        assert (await generation.finish()).text
        await generation.aclose()
        await client.aclose()
