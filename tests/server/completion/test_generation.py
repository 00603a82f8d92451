"""A stream on its way to an answer: when it ends, and what counts as its preamble."""

import asyncio

import pytest

from synconfroute.clients.model import GenerationRequest, TextPrompt, Token
from synconfroute.errors import PromptTooLong
from synconfroute.server.completion.generation import Draft, Generation, begin
from synconfroute.server.completion.prompt import SHRINKS
from tests.server.completion.scripted import ScriptedClient, ScriptedStream, Step


async def drafted(*pieces: str, single_line: bool = True) -> tuple[Draft, list[str]]:
    """The finished draft of these tokens, and what was closed; a further token never comes."""
    log: list[str] = []
    never = asyncio.Event()
    script: list[Step] = [*(Token(piece, -0.1) for piece in pieces), never]
    generation = Generation(ScriptedStream(script, log, "stream"), single_line=single_line)
    async with asyncio.timeout(5):
        draft = await generation.finish()
        await asyncio.sleep(0)  # the closing has begun by itself
        return draft, log


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["return", " 1", "\n"], "return 1\n"),
        (["\n", "    ", "return", "\n"], "\n    return\n"),
        (["```python", "\n", "x", "\n"], "```python\nx\n"),
        (["x = 1\ny", " = 2"], "x = 1\ny"),
        (["a", "<|fim_pad|>"], "a<|fim_pad|>"),
    ],
)
async def test_ends_at_the_line_break_behind_visible_text(pieces: list[str], text: str) -> None:
    """The stream is closed once the line is complete or a control token came."""
    draft, log = await drafted(*pieces)
    assert draft.finished
    assert draft.text == text
    assert log == ["stream closed"]


async def test_several_lines_go_on_to_a_control_token() -> None:
    """In multi-line mode a line break ends nothing."""
    draft, _ = await drafted("a\n", "b\n", "<|endoftext|>", single_line=False)
    assert draft.text == "a\nb\n<|endoftext|>"


@pytest.mark.parametrize(
    ("pieces", "preamble"),
    [
        (["x", "\n"], 0),
        (["```", "python", "\n", "x", "\n"], 3),
        (["```python\n", "x", "\n"], 1),
        (["```python\nx", "\n"], 0),
        (["    ", "x", "\n"], 0),
    ],
)
async def test_preamble(pieces: list[str], preamble: int) -> None:
    """Tokens that end within an opening fence are no part of the answer."""
    draft, _ = await drafted(*pieces)
    assert draft.preamble == preamble


async def test_preamble_is_open_while_a_fence_may_begin() -> None:
    """A back tick alone does not tell yet."""
    draft = Draft().grown(Token("`", -0.1))
    assert draft.preamble is None
    assert draft.grown(Token("x`", -0.1)).preamble == 0


async def test_the_ending_is_told() -> None:
    """A draft says whether it was complete, or the model ended it; a growing one says nothing."""
    closed, _ = await drafted("return", " 1", "\n")
    assert closed.ending == "closed"
    stream = ScriptedStream([Token("return", -0.1)], [], "stream")
    ended = await Generation(stream, single_line=True).finish()
    assert ended.ending == "stop"
    assert Draft().grown(Token("x")).ending == ""


async def test_a_prompt_found_too_long_is_sent_smaller() -> None:
    """The budget is divided, try after try, until the server takes the prompt or none is left."""
    tried: list[int] = []

    def request(shrink: int) -> GenerationRequest:
        tried.append(shrink)
        return GenerationRequest(TextPrompt("p" * shrink), 1)

    client = ScriptedClient("ollama", PromptTooLong("too long"), [Token("x", -0.1)], log=[])
    draft = await (await begin(client, request, single_line=True)).finish()
    assert (tried, draft.text) == ([*SHRINKS[:2]], "x")
    tried.clear()
    client = ScriptedClient("ollama", *(PromptTooLong("too long") for _ in SHRINKS), log=[])
    with pytest.raises(PromptTooLong):
        await begin(client, request, single_line=True)
    assert tried == [*SHRINKS]


async def test_the_text_begins_with_the_indentation_that_the_model_was_given() -> None:
    """It is inserted and told with the rest; tokens, and what counts as preamble, are as sent."""
    told: list[str] = []
    client = ScriptedClient(
        "ollama", [Token("```python\n", -0.1), Token("x", -0.2), Token("\n", -0.3)], log=[]
    )
    given = GenerationRequest(TextPrompt("p"), 9, given="    ")
    generation = await begin(client, lambda shrink: given, single_line=True, on_text=told.append)
    assert generation.draft.text == "    "
    draft = await generation.finish()
    assert draft.text == "    ```python\nx\n"
    assert [token.text for token in draft.tokens] == ["```python\n", "x", "\n"]
    assert draft.preamble == 1
    client = ScriptedClient("ollama", [Token("return", -0.1)], log=[])
    await (
        await begin(client, lambda shrink: given, single_line=True, on_text=told.append)
    ).finish()
    assert told[-1] == "    return"


async def test_the_text_is_told_as_it_grows_without_a_fence() -> None:
    """Nothing while it may still become one."""
    told: list[str] = []
    script: list[Step] = [
        Token(piece, -0.1) for piece in ("``", "`python", "\n", "x", " = 1", "\n")
    ]
    stream = ScriptedStream(script, [], "stream")
    await Generation(stream, single_line=True, on_text=told.append).finish()
    assert told == ["", "x", "x = 1", "x = 1\n"]
