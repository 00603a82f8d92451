"""What somebody asked for goes before what came by itself, over real sockets, never at a cost."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synconfroute.errors import RequestRefused, ServerFault
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.tiers import org_client
from synconfroute.server.settings.tree import Org, Settings
from tests.clients.replay import Answer, Received, ReplayServer, case, recorded, scripted
from tests.ledger_lines import lines_in

COMPLETIONS = "POST /v1/completions"
MODELS = recorded(case("vllm-0.32.0", "models"))
VERSION = recorded(case("vllm-0.32.0", "version"))
ANSWER = recorded(case("vllm-0.32.0", "completions-fim-python"))
REFUSED = scripted(
    b'{"error":{"message":"Got priority 10 but Priority scheduling is not enabled.",'
    b'"type":"BadRequestError","param":null,"code":400}}',
    status=400,
)
STREAMED_REFUSAL = scripted(
    b'data: {"error":{"message":"Got priority 10 but Priority scheduling is not enabled.",'
    b'"type":"BadRequestError","param":null,"code":400}}\n\ndata: [DONE]\n\n',
    kind="text/event-stream",
)


class World:
    """An organisation's tier with its real client, and a scripted server."""

    def __init__(self, server: ReplayServer, tier: OrgTier, folder: Path) -> None:
        self.server = server
        self._tier = tier
        self._folder = folder
        self._asked = 0

    async def asks(self, *, explicit: bool = False) -> str:
        """One completion's text."""
        self._asked += 1
        path = str(self._folder / "a.py")
        hole = Hole("python", "def f(a, b):\n    ", "\n", path=path, explicit=explicit)
        extent = Extent(single_line=True, max_tokens=8)
        draft = await self._tier.ask(hole, "invalid", f"r{self._asked}", extent)
        return draft.text

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The bodies of the requests for a completion."""
        return [each.json() for each in self.requests]

    @property
    def requests(self) -> list[Received]:
        """Those for a completion; what the server can do was asked before."""
        return [each for each in self.server.received if each.path == "/v1/completions"]

    @property
    def priorities(self) -> list[int | None]:
        """What each of them carried."""
        return [body.get("priority") for body in self.sent]

    def ledger(self, event: str) -> list[dict[str, Any]]:
        """Lines of the ledger."""
        return lines_in((self._folder / "ledger").glob("*.jsonl"), event)


@asynccontextmanager
async def world(folder: Path, *answers: Answer, **org: Any) -> AsyncIterator[World]:
    """A server that answers completions so, the last for ever."""
    routes: dict[str, Answer | Sequence[Answer]] = {
        COMPLETIONS: answers,
        "GET /v1/models": MODELS,
        "GET /version": VERSION,
    }
    async with ReplayServer(routes) as server:
        settings = replace(Settings(), org=Org(url=server.url, fim="qwen", **org))
        tier = OrgTier(settings, Ledger(folder / "ledger"), org_client(settings))
        try:
            yield World(server, tier, folder)
        finally:
            await tier.aclose()


async def test_what_was_asked_for_goes_first(tmp_path: Path) -> None:
    """Lower is earlier: what came by itself has a number, what was asked for has none, which is 0.

    Never below 0: no request of ours goes before anybody else's.
    """
    async with world(tmp_path, ANSWER) as it:
        await it.asks()
        await it.asks(explicit=True)
    assert it.priorities == [10, None]


@pytest.mark.parametrize("refusal", [REFUSED, STREAMED_REFUSAL], ids=["status", "in the stream"])
async def test_a_server_that_knows_no_priority_still_answers(
    refusal: Answer, tmp_path: Path
) -> None:
    """It is asked once more without, and remembered; each request has its line in the ledger."""
    async with world(tmp_path, refusal, ANSWER) as it:
        texts = [await it.asks() for _ in range(3)]
    assert len(set(texts)) == 1
    assert texts[0]
    assert it.priorities == [10, None, None, None]
    assert [line["request_id"] for line in it.ledger("sent")] == ["r1", "r1", "r2", "r3"]
    assert [line["status"] for line in it.ledger("ended")] == ["asked_anew", *["answered"] * 3]


async def test_a_refusal_for_another_reason_is_told(tmp_path: Path) -> None:
    """Without the mark it is refused, too: once more, and no further."""
    async with world(tmp_path, REFUSED) as it:
        with pytest.raises(RequestRefused):
            await it.asks()
    assert it.priorities == [10, None]


async def test_what_was_asked_for_is_not_asked_twice(tmp_path: Path) -> None:
    """It carries nothing that could be refused."""
    async with world(tmp_path, REFUSED) as it:
        with pytest.raises(RequestRefused):
            await it.asks(explicit=True)
    assert it.priorities == [None]


async def test_a_server_that_fails_is_not_asked_again_for_it(tmp_path: Path) -> None:
    """A fault is no refusal: nothing is learnt, and no second request goes out."""
    fault = scripted(b'{"error":{"message":"oops","code":500}}', status=500)
    async with world(tmp_path, fault, ANSWER) as it:
        with pytest.raises(ServerFault):
            await it.asks()
        await it.asks()
    assert it.priorities == [10, 10]


async def test_a_server_that_was_replaced_is_asked_anew(tmp_path: Path) -> None:
    """After a failure all is found out again, this too."""
    fault = scripted(b'{"error":{"message":"oops","code":500}}', status=500)
    async with world(tmp_path, REFUSED, ANSWER, fault, ANSWER) as it:
        await it.asks()
        with pytest.raises(ServerFault):
            await it.asks()
        await it.asks()
    assert it.priorities == [10, None, None, 10]


async def test_it_can_be_turned_off(tmp_path: Path) -> None:
    """No number; a router's header is a setting of its own."""
    headers = {"x-gateway-inference-objective": "later"}
    async with world(tmp_path, ANSWER, priority="off", automatic_headers=headers) as it:
        await it.asks()
        await it.asks(explicit=True)
    assert it.priorities == [None, None]
    marked = ["x-gateway-inference-objective" in each.headers for each in it.requests]
    assert marked == [True, False]


async def test_security_can_join_a_request_with_its_line(tmp_path: Path) -> None:
    """The id in the header is the one in the ledger, another for each request."""
    async with world(tmp_path, ANSWER) as it:
        await it.asks()
        await it.asks(explicit=True)
    posts = [each.headers["x-request-id"] for each in it.requests]
    assert posts == [line["request_id"] for line in it.ledger("sent")] == ["r1", "r2"]


async def test_one_session_goes_to_one_replica_by_default(tmp_path: Path) -> None:
    """All requests carry the same name, and it is in no line of the ledger."""
    async with world(tmp_path, ANSWER) as it:
        await it.asks()
        await it.asks()
    (name,) = {each.headers["x-session-id"] for each in it.requests}
    assert name not in str(it.ledger("sent")) + str(it.ledger("ended"))
