"""What an escalation waits for is made ready beside a local answer that begins doubtfully."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from synconfroute.clients.model import GenerationRequest, Probe, State, TextPrompt, Token
from synconfroute.errors import Withheld
from synconfroute.server.completion import pipeline as pipelines
from synconfroute.server.completion.answer import Reason, Tier
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.policy import Allowed, Refused
from synconfroute.server.completion.router import leans
from synconfroute.server.completion.secret_scan.screening import Screening
from synconfroute.server.settings.tree import Org, Policy, Settings
from synconfroute.validators.verdict import Outcome
from tests.server.completion.scripted import (
    SURE,
    UNSURE,
    ScriptedClient,
    ScriptedLocal,
    ScriptedValidator,
    Step,
    words,
)
from tests.server.completion.test_pipeline import BETTER, GOOD

__all__: list[str] = []


class Opening(ScriptedClient):
    """A client that says when it is to open its connection."""

    async def make_ready(self) -> None:
        """Note it."""
        self._log.append(f"{self.name} opened")


class World:
    """A pipeline whose organisation's tier says what it is asked, and when."""

    def __init__(self, folder: Path, settings: Settings, local: Sequence[Step]) -> None:
        self.log: list[str] = []
        (folder / "calc.py").write_text("")
        self.hole = Hole("python", "def f(a, b):\n    ", "\n", path=str(folder / "calc.py"))
        client = ScriptedClient("local", local, log=self.log)
        probe = Probe(State.READY, "ready", model="org-model", fim_family="qwen")
        org = Opening("org", words(BETTER), log=self.log, probe=probe)
        self.org = Watched(settings, Ledger(folder / "ledger"), org)
        self.org.log = self.log
        self.pipeline = pipelines.Pipeline(
            settings,
            ScriptedLocal(client),
            self.org,
            ScriptedValidator(lambda _: Outcome.VALID, self.log),
            on_notice=self.log.append,
        )


class Watched(OrgTier):
    """Notes when policy is asked."""

    log: list[str]

    async def decision(self, hole: Hole) -> Allowed | Refused:
        """The decision."""
        self.log.append("policy asked")
        return await super().decision(hole)


SETTINGS = Settings(org=Org(url="http://127.0.0.1:1/v1", model="big"))


async def test_a_doubtful_beginning_has_all_made_ready_before_the_third_token(
    tmp_path: Path,
) -> None:
    """Policy is asked once, the connection opened, and both before the local model goes on."""
    go = asyncio.Event()
    first, second, third, *_ = words("return a b", UNSURE)
    world = World(tmp_path, SETTINGS, [first, second, go, third, asyncio.Event()])
    await world.org.served()
    task = asyncio.ensure_future(world.pipeline.complete(world.hole))
    async with asyncio.timeout(10):
        while "org opened" not in world.log:
            await asyncio.sleep(0.001)
        assert world.log == ["local asked", "policy asked", "org opened"]
        go.set()
        answer = await task
    assert (answer.text, answer.provenance.tier) == (BETTER, Tier.ORG)
    assert world.log.count("policy asked") == 1


async def test_a_sure_answer_has_nothing_made_ready(tmp_path: Path) -> None:
    """Where nothing is likely to leave, no rule is asked and no connection opened."""
    world = World(tmp_path, SETTINGS, words(GOOD))
    await world.org.served()
    answer = await world.pipeline.complete(world.hole)
    assert answer.provenance.reason is Reason.KEPT
    assert not {"policy asked", "org opened"} & set(world.log)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(org=SETTINGS.org, policy=Policy(default="deny")),
        Settings(org=Org(url="http://127.0.0.1:1/v1", model="big", connect_ahead=False)),
    ],
    ids=["refused", "switched off"],
)
async def test_no_connection_where_it_may_not_be(settings: Settings, tmp_path: Path) -> None:
    """What policy keeps here opens nothing there, nor does a team that wants no such connection."""
    world = World(tmp_path, settings, words("return a b", UNSURE))
    await world.org.served()
    await world.pipeline.complete(world.hole)
    assert "policy asked" in world.log
    assert "org opened" not in world.log


async def test_what_is_made_ready_ends_with_its_request(tmp_path: Path) -> None:
    """Cancelled in the middle, nothing of it goes on."""
    world = World(tmp_path, SETTINGS, [*words("return a", UNSURE), asyncio.Event()])
    before = asyncio.all_tasks()
    task = asyncio.ensure_future(world.pipeline.complete(world.hole))
    async with asyncio.timeout(10):
        while "policy asked" not in world.log:
            await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize(
    ("logprobs", "doubtful"),
    [([UNSURE], True), ([SURE, UNSURE], True), ([SURE], False), ([], False), ([None], False)],
)
def test_who_leans(logprobs: list[float | None], doubtful: bool) -> None:
    """By the mean of what came, however little; nothing is known without log-probs."""
    tokens = tuple(Token("x", logprob) for logprob in logprobs)
    assert leans(Candidate(tokens), Settings()) is doubtful


HOLE = Hole("python", "x = ", "\n")


async def test_a_request_that_was_looked_through_is_not_again() -> None:
    """The same texts; what else the request carries is the new one's."""
    screening = Screening("deny")
    first = GenerationRequest(TextPrompt("a = 1\n"), max_tokens=8, request_id="1")
    await screening.screened(first, HOLE)
    found = await screening.screened(
        GenerationRequest(TextPrompt("a = 1\n"), max_tokens=9, request_id="2"), HOLE
    )
    assert found.request == GenerationRequest(TextPrompt("a = 1\n"), max_tokens=9, request_id="2")


async def test_a_secret_is_found_each_time() -> None:
    """Nothing of the kind is remembered as well; other code beside the cursor is looked at anew."""
    screening = Screening("deny")
    secret = GenerationRequest(TextPrompt('key = "AKIA' + "Z7Q2M4X9" * 2 + '"\n'), max_tokens=8)
    for _ in range(2):
        with pytest.raises(Withheld):
            await screening.screened(secret, HOLE)
    plain = GenerationRequest(TextPrompt("a = 1\n"), max_tokens=8)
    await screening.screened(plain, HOLE)
    halved = Hole("python", 'key = "AKIAZ7Q2M4', 'X9Z7Q2M4X9"\n')
    with pytest.raises(Withheld):
        await screening.screened(plain, halved)
