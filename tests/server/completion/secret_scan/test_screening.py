"""A request that is about to leave: what is looked through, and what becomes of a secret in it."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from synconfroute.clients.model import ChatPrompt, GenerationRequest, TextPrompt
from synconfroute.errors import Withheld
from synconfroute.server.completion.answer import Answer, Reason, Tier
from synconfroute.server.completion.explanation import explain
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.secret_scan import screening
from synconfroute.server.completion.secret_scan.screening import screened
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.tree import Escalation, Org, Policy, Settings
from tests.ledger_lines import lines_in
from tests.server.completion.scripted import UNSURE, words
from tests.server.completion.secret_scan.made import KINDS
from tests.server.completion.test_pipeline import BETTER, GOOD, World

SECRET = KINDS["AWS access key"](random.Random(3))
_HOLE = Hole("python", "x = ", "\n", path="/w/a.py")


def _request(prompt: TextPrompt | ChatPrompt, plain: TextPrompt | None = None) -> GenerationRequest:
    return GenerationRequest(prompt, max_tokens=8, heal="x" if plain else "", plain=plain)


@pytest.mark.parametrize(
    "request_",
    [
        _request(TextPrompt(f"a = '{SECRET}'\nb = ")),
        _request(ChatPrompt(f"# {SECRET}")),
        _request(ChatPrompt("Write.", prefill=f"k = '{SECRET}'")),
        _request(ChatPrompt("Write.", system=SECRET)),
        _request(TextPrompt("b = "), plain=TextPrompt(f"# {SECRET}\nb = x")),
        _request(TextPrompt("y = 1\n" * 10_000 + SECRET)),
    ],
    ids=["prompt", "user", "prefill", "system", "plain", "long"],
)
async def test_all_that_would_be_sent_is_looked_through(request_: GenerationRequest) -> None:
    """Each text of a request, also of the one that is sent if the first is answered otherwise."""
    with pytest.raises(Withheld) as caught:
        await screened(request_, _HOLE, "deny")
    assert "an AWS access key" in str(caught.value)
    assert SECRET not in str(caught.value)
    clean = (await screened(request_, _HOLE, "redact")).request
    assert SECRET not in repr(clean)
    assert "REDACTED" in repr(clean)


async def test_a_request_without_secrets_is_left_as_it_is() -> None:
    """Nothing is replaced, nothing counted."""
    request = _request(TextPrompt("def f():\n    return "))
    for secrets in ("deny", "redact"):
        result = await screened(request, _HOLE, secrets)
        assert (result.request, result.redacted) == (request, 0)


@pytest.mark.parametrize("secrets", ["deny", "redact"])
async def test_a_secret_in_which_the_cursor_stands_stays_here(secrets: str) -> None:
    """In the prompt its halves stand apart, so that neither is found there nor replaced."""
    hole = Hole("python", f"k = '{SECRET[:9]}", f"{SECRET[9:]}'\n", path="/w/a.py")
    request = _request(TextPrompt(f"<prefix>{hole.prefix}<suffix>{hole.suffix}"))
    with pytest.raises(Withheld):
        await screened(request, hole, secrets)


async def test_a_scan_that_fails_keeps_the_request_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in it, and the sentence holds nothing of the text."""

    def broken(text: str) -> Any:
        raise RuntimeError(text)

    monkeypatch.setattr("synconfroute.server.completion.secret_scan.scan.secrets_in", broken)
    with pytest.raises(Withheld) as caught:
        await screened(_request(TextPrompt("zebra = 1")), _HOLE, "deny")
    assert "zebra" not in str(caught.value)


async def test_a_scan_out_of_time_keeps_the_request_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long prompt is looked through beside the event loop, for so long at most."""
    monkeypatch.setattr(screening, "SCAN_SECONDS", 0.0)
    with pytest.raises(Withheld, match="in time"):
        await screened(_request(TextPrompt("y = 1\n" * 10_000)), _HOLE, "deny")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A pipeline with an organisation's server."""
    return World(tmp_path)


def _ledger(world: World) -> list[dict[str, Any]]:
    """All its lines but the one that begins it."""
    lines = lines_in((world.folder / "ledger").glob("*.jsonl"))
    return [line for line in lines if line["event"] != "begun"]


def _settings(**changes: Any) -> Settings:
    return Settings(org=Org(url="http://127.0.0.1:1/v1", model="big"), **changes)


async def _complete(world: World, *, local: str = GOOD, prefix: str = "") -> Answer:
    hole = world.hole(prefix=prefix or f"KEY = '{SECRET}'\n\ndef f(a, b):\n    ")
    pipeline = world.pipeline([*words(local, UNSURE)], org=[[*words(BETTER)]])
    async with asyncio.timeout(20):
        return await pipeline.complete(hole)


@pytest.mark.parametrize("hedge", [True, False])
async def test_a_prompt_with_a_secret_is_not_sent_and_the_local_answer_is_shown(
    world: World, hedge: bool
) -> None:
    """Provenance, "why" and ledger say so, none of them says the secret; no popup."""
    world.settings = _settings(escalation=Escalation(hedge=hedge))
    answer = await _complete(world)
    assert (answer.text, answer.provenance.tier) == (GOOD, Tier.LOCAL)
    assert answer.provenance.reason is Reason.REFUSED_POLICY
    assert "looks like an AWS access key" in answer.provenance.problem
    assert "an AWS access key" in explain(answer.provenance)
    assert world.org.requests == []
    assert world.notices == []
    (line,) = _ledger(world)
    assert line["event"] == "withheld"
    assert line["why"] == answer.provenance.problem
    assert SECRET not in repr((answer, _ledger(world)))


async def test_redaction_replaces_it_in_the_prompt_only(world: World) -> None:
    """What is sent has a placeholder of the same length; the answer is the model's own."""
    world.settings = _settings(escalation=Escalation(secrets="redact"))
    answer = await _complete(world)
    assert (answer.text, answer.provenance.tier) == (BETTER, Tier.ORG)
    assert answer.provenance.redacted == 1
    assert "1 text that looked like a secret had been replaced" in explain(answer.provenance)
    (request,) = world.org.requests
    assert isinstance(request.prompt, TextPrompt)
    assert "KEY = 'REDACTEDREDACTEDREDA'\n\ndef f(a, b):" in request.prompt.text
    (line,) = world.ledger_lines
    assert line["redacted"] == 1
    assert SECRET not in repr((answer, _ledger(world)))


async def test_without_a_secret_nothing_is_said_of_redaction(world: World) -> None:
    """Neither in the ledger nor to who asks why."""
    world.settings = _settings(escalation=Escalation(secrets="redact"))
    answer = await _complete(world, prefix="def f(a, b):\n    ")
    assert answer.provenance.redacted == 0
    assert "replaced" not in explain(answer.provenance)
    (line,) = world.ledger_lines
    assert "redacted" not in line


async def test_without_a_hedge_the_local_stream_is_closed_once_the_request_has_left(
    world: World,
) -> None:
    """Not before: a request that may not leave needs it."""
    world.settings = _settings(escalation=Escalation(hedge=False))
    answer = await _complete(world, prefix="def f(a, b):\n    ")
    assert answer.provenance.tier is Tier.ORG
    assert world.log.index("org asked") < world.log.index("org closed")
    assert "local closed" in world.log


async def test_a_shadow_decides_and_notes_and_sends_nothing(world: World) -> None:
    """The local answer is shown, the reason is "shadow", the ledger tells what would have gone."""
    rule = Rule("shadow", languages=("python",), where="the user's file")
    world.settings = _settings(policy=Policy(rules=(rule,)))
    answer = await _complete(world, prefix="def f(a, b):\n    ")
    assert (answer.text, answer.provenance.reason) == (GOOD, Reason.SHADOW)
    assert answer.provenance.problem.startswith("This would have gone to the organisation's server")
    assert world.org.requests == []
    assert world.notices == []
    (line,) = _ledger(world)
    assert (line["event"], line["reason"]) == ("withheld", "low_confidence")
    assert line["why"] == answer.provenance.problem
    assert line["request_id"] == answer.provenance.request_id
