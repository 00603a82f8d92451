"""Tokens of lines: told by a tokenizer beside the requests, else estimated."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import CountsTokens, GenerationRequest, TextPrompt
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.clients.token_counts import TokenCounts, estimated_tokens
from synconfroute.clients.tokenizing import Learning
from synconfroute.errors import ServerUnreachable
from tests.clients.replay import Answer, ReplayServer, case, recorded, scripted

LINES = tuple(f"value_{number} = {number}\n" for number in range(40))
TEXT = "".join(LINES)

Cut = Callable[[str], list[str]]


def by_word(text: str) -> list[str]:
    """Tokens of a tokenizer that puts white space, line breaks too, into one."""
    return re.findall(r"\s+|\w+|[^\w\s]", text)


def by_byte(text: str) -> list[str]:
    """Tokens of a tokenizer that knows no words."""
    return list(text)


def lengths(tokens: Sequence[str]) -> list[int]:
    """Their lengths in bytes."""
    return [len(token.encode()) for token in tokens]


def told(text: str, cut: Cut) -> TokenCounts:
    """What is known after a tokenizer was asked about a text."""
    counts = TokenCounts()
    counts.count(text)
    lines = counts.question()
    counts.learn(lines, lengths(cut("".join(lines))))
    return counts


def test_what_is_not_told_is_estimated() -> None:
    """Before and after others are told."""
    assert TokenCounts().count(TEXT) == sum(map(estimated_tokens, LINES))
    assert told(TEXT, by_word).count("other = 1\n") == estimated_tokens("other = 1\n")


def test_what_is_told_is_counted_by_the_line() -> None:
    """Four tokens a line here, a number's three digits or one."""
    counts = told(TEXT, by_word)
    assert counts.count(LINES[3]) == len(by_word(LINES[3]))
    assert counts.count(TEXT) == len(by_word(TEXT))
    assert counts.question() == ()


def test_few_lines_are_not_worth_a_question() -> None:
    """A line that is being typed is not asked about at each key."""
    counts = TokenCounts()
    counts.count(TEXT)
    assert counts.question() == LINES
    counts.count("total = 0\n")
    assert counts.question() == ()


def test_of_another_text_nothing_is_learnt() -> None:
    """A tokenizer whose tokens do not make up the text is not believed."""
    counts = TokenCounts()
    counts.count(TEXT)
    counts.learn(counts.question(), [1, 2, 3])
    assert counts.count(TEXT) == sum(map(estimated_tokens, LINES))


_CODE = st.lists(st.sampled_from(["x = 1", "    return é", "", "\tß(12)", "# 日本"]), max_size=20)


@settings(deadline=None)
@given(_CODE, _CODE, st.sampled_from([by_word, by_byte]))
def test_a_count_is_never_below_the_tokenizers(
    first: list[str], second: list[str], cut: Cut
) -> None:
    """Lines that were told in one order are counted in another: no fewer than there are."""
    counts = told("".join(f"{line}\n" for line in first) + TEXT, cut)
    known = set(first)
    text = "".join(f"{line}\n" for line in second if line in known)
    assert counts.count(text) >= len(cut(text))


PIECES = {"tokens": [{"id": 1, "piece": token} for token in by_word(TEXT)]}
STRINGS = {"tokens": [1], "token_strs": [token.replace(" ", "Ġ") for token in by_word(TEXT)]}
SENTENCES = {"token_strs": [token.replace(" ", "▁") for token in by_word(f" {TEXT}")]}


def served(owner: str, answer: object) -> dict[str, Answer]:
    """A server that owner's, with an answer of its tokenizer."""
    name = {"llamacpp": "llama.cpp-server", "vllm": "vllm-0.32.0"}[owner]
    software = {"llamacpp": "props", "vllm": "version"}[owner]
    return {
        "GET /v1/models": recorded(case(name, "models")),
        f"GET /{software}": recorded(case(name, software)),
        "POST /v1/completions": recorded(case(name, "completions-fim-python")),
        "POST /tokenize": scripted(json.dumps(answer).encode()),
    }


@pytest.mark.parametrize(
    ("owner", "answer", "exact"),
    [
        ("llamacpp", PIECES, True),
        ("vllm", STRINGS, True),
        ("vllm", SENTENCES, True),
        ("vllm", {"tokens": [1, 2], "token_strs": None}, False),
        ("llamacpp", {"tokens": [1, 2]}, False),
        ("llamacpp", {"tokens": [{"id": 1, "piece": [226, 128]}]}, False),
        ("llamacpp", {}, False),
    ],
)
async def test_a_server_is_asked_beside_the_request(
    owner: str, answer: object, exact: bool
) -> None:
    """With the lines that were counted; what is no answer changes nothing."""
    async with ReplayServer(served(owner, answer)) as server:
        client = OpenAICompatible(server.url, learn_tokens=True)
        assert isinstance(client, CountsTokens)
        await client.probe()
        client.count_tokens(TEXT)
        async with await client.stream(GenerationRequest(TextPrompt("x"), 4)) as stream:
            assert [token async for token in stream]
        await until(lambda: any(one.path == "/tokenize" for one in server.received))
        asked = next(one.json() for one in server.received if one.path == "/tokenize")
        assert TEXT in {asked.get("content"), asked.get("prompt")}
        assert False in {asked.get("add_special"), asked.get("add_special_tokens")}
        if exact:
            await until(lambda: client.count_tokens(TEXT) == len(by_word(TEXT)))
        await client.aclose()
        assert (client.count_tokens(TEXT) == len(by_word(TEXT))) == exact


async def test_no_tokenizer_is_asked_unless_it_may() -> None:
    """The organisation's server gets prompts that the ledger knows, and nothing beside them."""
    async with ReplayServer(served("vllm", STRINGS)) as server:
        client = OpenAICompatible(server.url)
        await client.probe()
        client.count_tokens(TEXT)
        async with await client.stream(GenerationRequest(TextPrompt("x"), 4)) as stream:
            assert [token async for token in stream]
        await client.aclose()
        assert "/tokenize" not in {one.path for one in server.received}


async def test_one_question_at_a_time_and_none_after_the_end() -> None:
    """A tokenizer that hangs is asked once, and given up when the client is closed."""
    counts = TokenCounts()
    learning = Learning(counts)
    asked: list[str] = []
    given_up = asyncio.Event()

    async def hang(text: str) -> list[int]:
        asked.append(text)
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()
        return []

    for _ in range(3):
        counts.count(TEXT)
        learning.begin(hang)
        await asyncio.sleep(0)
    assert asked == [TEXT]
    await learning.aclose()
    assert given_up.is_set()


async def test_a_tokenizer_that_cannot_be_asked_is_no_fault() -> None:
    """Estimates hold."""
    counts = TokenCounts()
    learning = Learning(counts)

    async def fail(_: str) -> list[int]:
        raise ServerUnreachable("no")

    counts.count(TEXT)
    learning.begin(fail)
    await learning.aclose()
    assert counts.count(TEXT) == sum(map(estimated_tokens, LINES))


async def until(fact: Callable[[], bool]) -> None:
    """Wait for a fact, at most ten seconds."""
    async with asyncio.timeout(10):
        while not fact():
            await asyncio.sleep(0.005)


def test_memory_is_bounded() -> None:
    """The oldest lines are forgotten first."""
    counts = TokenCounts()
    many = [f"line {number}\n" for number in range(30_000)]
    for first, last in pairwise(range(0, len(many) + 1, 2_000)):
        counts.count("".join(many[first:last]))
        lines = counts.question()
        counts.learn(lines, [len(line) for line in lines])
    assert counts.count(many[-1]) == 1
    assert counts.count(many[0]) == estimated_tokens(many[0])
