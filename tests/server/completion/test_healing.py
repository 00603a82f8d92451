"""Token healing: the word that the cursor stands behind is written anew."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    Probe,
    State,
    TextPrompt,
    Token,
)
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.confidence import confidence
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.generation import begin
from synconfroute.server.completion.healing import stream_of, typed_part
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.prompt import Ask, build_request, sent_bytes
from synconfroute.server.settings.tree import Org, Settings
from tests.ledger_lines import lines_in
from tests.server.completion.scripted import ScriptedClient, Step

HEALING = Ask("qwen", chat=True, grammar=False, context_tokens=2048, heal=True)
HEALED = GenerationRequest(TextPrompt("healed"), 50, heal=" ret", plain=TextPrompt("plain"))


@pytest.mark.parametrize(
    ("left", "typed"),
    [
        ("    ret", " ret"),
        ("self.fo", ".fo"),
        ("\tre", "\tre"),
        ("ret", "ret"),
        ("f(my_na", "(my_na"),
        ("x = größ", " größ"),
        ("x2", "x2"),
        ("x = 12", ""),
        ("x = ", ""),
        ("f(", ""),
        ("", ""),
        ("a" * 60, ""),
    ],
)
def test_what_is_written_anew(left: str, typed: str) -> None:
    """A word and the character before it; neither numbers nor what no tokenizer has in one."""
    assert typed_part(Hole("python", f"import os\n{left}", ")\n")) == typed


def test_within_a_word_nothing_is_written_anew() -> None:
    """Where the word goes on behind the cursor, what stands before it is no beginning."""
    assert typed_part(Hole("python", "ret", "urn\n")) == ""


def test_the_prompt_ends_before_the_word() -> None:
    """With the whole prompt beside it, for a model that begins otherwise."""
    hole = Hole("python", "def f(a):\n    ret", "\n")
    request = build_request(hole, HEALING, max_tokens=50, request_id="")
    plain = build_request(hole, replace(HEALING, heal=False), max_tokens=50, request_id="")
    assert request.prompt == TextPrompt(
        "<|fim_prefix|>def f(a):\n   <|fim_suffix|>\n<|fim_middle|>"
    )
    assert (request.heal, request.plain) == (" ret", plain.prompt)
    assert (plain.heal, plain.plain) == ("", None)


def test_a_forced_line_begins_with_what_was_typed() -> None:
    """On a server that forces lines, word and white space are the line's lead."""
    ask = Ask(None, chat=True, grammar=True, context_tokens=2048, heal=True)
    hole = Hole("python", "def f(a):\n    ret", "\n")
    request = build_request(hole, ask, max_tokens=50, request_id="")
    assert isinstance(request.prompt, ChatPrompt)
    assert request.prompt.prefill.endswith("def f(a):")
    assert request.grammar is not None
    assert (request.grammar.lead, request.grammar.indent) == ("\n    ret", True)
    assert (request.heal, request.plain) == ("", None)


async def answer(
    *scripts: list[Step], request: GenerationRequest = HEALED
) -> tuple[list[Token], list[str], list[GenerationRequest]]:
    """The tokens of an answer, what happened, and the requests that left."""
    log: list[str] = []
    client = ScriptedClient("local", *scripts, log=log)
    sent: list[GenerationRequest] = []
    stream = await stream_of(client, request, sent.append)
    async with stream:
        return [token async for token in stream], log, sent


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ([" return", " a"], ["urn", " a"]),
        ([" ret", "urn", " a"], ["urn", " a"]),
        ([" ", "r", "e", "turn"], ["urn"]),
        ([" ", "", "ret", " a"], [" a"]),
        ([" ret"], []),
    ],
)
async def test_what_was_typed_is_taken_off(written: list[str], left: list[str]) -> None:
    """However the model cuts it into tokens, the answer goes on where the cursor is."""
    tokens, _, sent = await answer([Token(text, -0.1) for text in written])
    assert [token.text for token in tokens] == left
    assert sent == [HEALED]


@pytest.mark.parametrize("written", [[" if", " a"], [" re", "duce"], [" re"], []])
async def test_an_answer_that_begins_otherwise_is_asked_for_plainly(written: list[str]) -> None:
    """The first stream is closed, and the second request is the plain prompt."""
    tokens, log, sent = await answer(
        [Token(text, -0.1) for text in written], [Token("urn", -0.2), Token(" a", -0.1)]
    )
    assert [token.text for token in tokens] == ["urn", " a"]
    assert log.index("local closed") < log.index("local asked", log.index("local asked") + 1)
    assert sent == [HEALED, replace(HEALED, prompt=TextPrompt("plain"), heal="", plain=None)]


async def test_a_token_that_holds_what_was_typed_says_nothing_of_the_answer() -> None:
    """Confidence is that of the three tokens behind it."""
    scored = [(" return", -3.0), (" a", -0.1), ("+", -0.2), ("b", -0.3)]
    tokens, _, _ = await answer([Token(text, logprob) for text, logprob in scored])
    assert tokens[0].forced
    found = confidence(tokens, preamble=0, finished=False, which="answer")
    assert found.value == pytest.approx(0.8187, abs=1e-4)


async def test_cancelling_while_the_word_is_written_closes_the_stream() -> None:
    """Nobody waits for a stream whose request is gone."""
    log: list[str] = []
    client = ScriptedClient("local", [Token(" r", -0.1), asyncio.Event()], log=log)
    asked = asyncio.ensure_future(begin(client, lambda _: HEALED, single_line=True))
    while "local asked" not in log:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert log[-1] == "local closed"


@settings(deadline=None)
@given(
    word=st.from_regex(r"[a-z_]\w{0,20}", fullmatch=True),
    rest=st.text(st.sampled_from("ab (\n"), max_size=10),
    cuts=st.lists(st.integers(1, 30), max_size=6),
)
async def test_any_spelling_gives_the_same_answer(word: str, rest: str, cuts: list[int]) -> None:
    """Typed part and answer are one text, whatever its tokens are."""
    whole = f" {word}{rest}"
    ends = sorted({min(cut, len(whole)) for cut in cuts} | {len(whole)})
    pieces = [whole[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    request = replace(HEALED, heal=f" {word}")
    tokens, _, sent = await answer([Token(text, -0.1) for text in pieces], request=request)
    assert "".join(token.text for token in tokens) == rest
    assert len(sent) == 1


def ledger_bytes(folder: Path) -> list[int]:
    """How many bytes left, by the lines of a ledger."""
    return [line["bytes"] for line in lines_in(folder.glob("*.jsonl"), "sent")]


async def test_what_is_asked_for_plainly_has_a_ledger_line_of_its_own(tmp_path: Path) -> None:
    """The organisation's server is sent nothing that the ledger does not hold, the second time."""
    log: list[str] = []
    probe = Probe(State.READY, "ready", model="big", fim_family="qwen", heals=True)
    org = ScriptedClient("org", [Token(" if", -0.1)], [Token("urn", -0.1)], log=log, probe=probe)
    ledger = Ledger(tmp_path)
    tier = OrgTier(Settings(org=Org(url="http://127.0.0.1:1/v1")), ledger, org)
    hole = Hole("python", "def f(a):\n    ret", "\n", path=str(tmp_path / "a.py"))
    draft = await tier.ask(hole, "invalid", "id", Extent(single_line=True, max_tokens=50))
    assert draft.text == "urn"
    sent = [sent_bytes(request) for request in org.requests]
    assert ledger_bytes(tmp_path) == sent
    assert sent[1] - sent[0] == len(" ret")
