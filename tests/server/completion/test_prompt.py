"""Prompts: what each kind of model is asked, and that it fits."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.clients.fim_families import FAMILIES
from synconfroute.clients.model import ChatPrompt, LineGrammar, Probe, State, TextPrompt
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.server.completion.budget import head_within, tail_within
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import (
    FRAME_TOKENS,
    SHRINKS,
    Ask,
    build_request,
    how_to_ask,
    sent_bytes,
)
from synconfroute.server.protocol.documents import Document
from synconfroute.server.protocol.positions import Encoding
from tests.clients.test_token_counts import TEXT, by_word, told

HOLE = Hole("python", "def f(a):\n    ", "\n\n\nprint(f(1))\n")
FIM = Ask("qwen", chat=True, grammar=False, context_tokens=2048)


def prompt_text(hole: Hole, ask: Ask, context: Sequence[Snippet] = ()) -> str:
    """The raw prompt for a hole."""
    prompt = build_request(hole, ask, max_tokens=50, request_id="r", context=context).prompt
    assert isinstance(prompt, TextPrompt)
    return prompt.text


def test_fim_model_gets_prefix_and_suffix_in_its_own_tokens() -> None:
    """Whole prefix and suffix, byte for byte, between the family's control tokens."""
    assert prompt_text(HOLE, FIM) == (
        "<|fim_prefix|>def f(a):\n    <|fim_suffix|>\n\n\nprint(f(1))\n<|fim_middle|>"
    )
    request = build_request(HOLE, FIM, max_tokens=50, request_id="r")
    assert request.stop_token_ids == (
        151643, 151645, 151659, 151660, 151661, 151662, 151663, 151664,
    )  # fmt: skip
    assert (request.temperature, request.max_tokens, request.request_id) == (0.0, 50, "r")
    assert request.grammar is None


def test_codestral_wants_the_suffix_first() -> None:
    """Suffix first, and the answer continues the prefix."""
    ask = Ask("codestral", chat=True, grammar=False, context_tokens=2048)
    assert prompt_text(HOLE, ask) == "[SUFFIX]\n\n\nprint(f(1))\n[PREFIX]def f(a):\n    "


def test_a_chat_model_goes_on_with_an_answer_begun_for_it() -> None:
    """Suffix in the user's turn, prefix in the assistant's."""
    ask = Ask(None, chat=True, grammar=False, context_tokens=2048)
    request = build_request(HOLE, ask, max_tokens=50, request_id="r")
    assert isinstance(request.prompt, ChatPrompt)
    assert request.prompt.prefill.endswith("def f(a):\n    ")
    assert "print(f(1))" in request.prompt.user
    assert request.grammar is None


@pytest.mark.parametrize(
    ("prefix", "grammar"),
    [
        ("def f(a):\n    ", LineGrammar("\n    ", forbid="#")),
        ("x = ", LineGrammar(" ")),
        ("x = f(", LineGrammar("")),
        ("def f(a):\n", LineGrammar("\n    ", forbid="#")),
        ("a = 1\n", LineGrammar("\n", indent=True, forbid="#")),
    ],
)
def test_the_embedded_engine_is_forced_back_over_the_white_space(
    prefix: str, grammar: LineGrammar
) -> None:
    """The prompt ends in visible text; a grammar writes the white space that was cut off."""
    ask = Ask(None, chat=True, grammar=True, context_tokens=2048, prompt_tokens=300)
    hole = Hole("python", prefix, "\n")
    request = build_request(hole, ask, max_tokens=50, request_id="r")
    assert isinstance(request.prompt, ChatPrompt)
    assert request.prompt.prefill.endswith(prefix.rstrip())
    assert request.grammar == grammar


def test_the_indentation_that_is_due_ends_the_prefix() -> None:
    """The model is given it, and the request says so; never where the cursor stands behind it."""
    hole = replace(HOLE, prefix="def f(a):\n")
    request = build_request(hole, FIM, max_tokens=50, request_id="r")
    there = build_request(HOLE, FIM, max_tokens=50, request_id="r")
    assert request == replace(there, given="    ")
    assert there.given == ""
    plain = build_request(hole, replace(FIM, indent=False), max_tokens=50, request_id="r")
    assert plain.given == ""
    assert plain.prompt == TextPrompt(
        "<|fim_prefix|>def f(a):\n<|fim_suffix|>\n\n\nprint(f(1))\n<|fim_middle|>"
    )


@pytest.mark.parametrize("chat", [True, False])
def test_what_reads_plain_text_is_given_no_indentation(chat: bool) -> None:
    """A chat or a plain text that ends in white space is one that no model has learnt."""
    ask = Ask(None, chat=chat, grammar=False, context_tokens=2048)
    hole = replace(HOLE, prefix="def f(a):\n")
    request = build_request(hole, ask, max_tokens=50, request_id="r")
    assert request.given == ""
    prompt = request.prompt
    text = prompt.prefill if isinstance(prompt, ChatPrompt) else prompt.text
    assert text.endswith("def f(a):\n")


def test_a_server_without_fim_and_chat_reads_left_to_right() -> None:
    """The prefix alone."""
    ask = Ask(None, chat=False, grammar=False, context_tokens=2048)
    assert prompt_text(HOLE, ask) == HOLE.prefix


def test_settings_override_what_the_probe_found() -> None:
    """`fim` names a family, or turns it off; the smaller context counts."""
    probe = Probe(State.READY, "", fim_family="qwen", context_tokens=1024, grammar=True)
    assert how_to_ask(probe, fim="auto", chat=True, context_tokens=4096).family == "qwen"
    assert how_to_ask(probe, fim="none", chat=True, context_tokens=4096).family is None
    assert how_to_ask(probe, fim="deepseek", chat=True, context_tokens=4096).family == "deepseek"
    assert how_to_ask(probe, fim="auto", chat=True, context_tokens=4096).context_tokens == 1024


_LINES = st.lists(st.sampled_from(["def f(a):", "    x = a + 1", "", "    return x[a:1]"]))
_OTHERS = [Snippet("b.py", "B = 1\n" * 9), Snippet("a.py", "A = 2\n" * 200)]


@settings(deadline=None, max_examples=10)
@given(
    lines=_LINES,
    typed=st.text("abc (=1)", min_size=50, max_size=50),
    family=st.sampled_from(["qwen", "codestral", "mellum", "granite"]),
    context=st.sampled_from([(), _OTHERS]),
    window=st.sampled_from([None, 9000]),
)
def test_typing_leaves_the_head_of_the_prompt_as_it_is(
    lines: list[str], typed: str, family: str, context: list[Snippet], window: int | None
) -> None:
    """What stood before the cursor is where the next prompt begins, so that the cache hits.

    But where the prefix is cut anew, a few times at most; in a window of a long document too.
    """
    form = FAMILIES[family]
    above = "".join(f"{line}  # {number}\n" for number, line in enumerate(lines * 40))
    above = above if window else "".join(f"{line}\n" for line in lines * 40)
    ask = replace(FIM, family=family)
    before = []
    for end in range(0, len(typed) + 1, 2):
        prefix = above + typed[:end]
        hole = Hole("python", prefix[-window:] if window else prefix, "\n\nprint(f(1))\n")
        text = prompt_text(hole, ask, context)
        cut = "" if form.suffix_first else form.before_suffix
        before.append(text.partition(cut)[0] if cut else text.removesuffix(form.before_middle))
    changes = sum(not after.startswith(first) for first, after in pairwise(before))
    assert changes <= 3


@settings(deadline=None, max_examples=20)
@given(
    lines=_LINES, family=st.sampled_from(["qwen", "codestral", "granite"]), size=st.integers(0, 99)
)
def test_how_much_is_asked_for_moves_no_beginning(lines: list[str], family: str, size: int) -> None:
    """The room for an answer of several lines stays free where one line is asked for."""
    above = "".join(f"{line}  # {number}\n" for number, line in enumerate(lines * (40 + size)))
    ask = replace(FIM, family=family, longest_answer=256)
    hole = Hole("python", above, "\n\nprint(f(1))\n")
    asked = [
        build_request(hole, ask, max_tokens=most, request_id="").prompt for most in (1, 50, 256)
    ]
    assert asked[0] == asked[1] == asked[2]


@settings(deadline=None, max_examples=15)
@given(
    width=st.integers(1, 60),
    family=st.sampled_from(["qwen", "codestral"]),
    room=st.sampled_from([8192, 65_536]),
)
def test_a_window_of_a_huge_document_is_no_beginning(width: int, family: str, room: int) -> None:
    """It moves with each of 30 lines that are typed, and the prompt now and then.

    Also where all of it fits.
    """
    line = "x" * width
    count = 300_000 // (width + 8)
    text = "".join(f"{line} = {number}\n" for number in range(count))
    document = Document(types.TextDocumentItem("file:///a.py", "python", 0, text), Encoding.UTF16)
    ask = replace(FIM, family=family, context_tokens=room)
    begun = []
    for number in range(count // 2, count // 2 + 30):
        place = types.Position(number, 0)
        document.apply(
            types.TextDocumentContentChangePartial(types.Range(place, place), f"{line} = 1\n")
        )
        hole = document.hole(types.Position(number + 1, 0))
        assert not hole.whole
        prompt = prompt_text(hole, ask)
        begun.append(prompt.rpartition(FAMILIES[family].before_prefix)[2][:100])
    assert sum(before != after for before, after in pairwise(begun)) <= 10


def test_the_beginning_of_a_huge_document_is_one() -> None:
    """Near its start nothing is left out that fits."""
    text = "import a\n" + "b = 1\n" * 60_000
    item = types.TextDocumentItem("file:///a.py", "python", 0, text)
    hole = Document(item, Encoding.UTF16).hole(types.Position(20, 0))
    assert not hole.whole
    assert prompt_text(hole, FIM).startswith("<|fim_prefix|>import a\n")


def test_sent_bytes_counts_utf8() -> None:
    """The ledger's byte count is that of the prompt on the wire, lone surrogates included."""
    ask = Ask(None, chat=False, grammar=False, context_tokens=2048)
    assert sent_bytes(build_request(Hole("python", "é", ""), ask, max_tokens=1, request_id="")) == 2
    hole = Hole("python", "\ud800", "")
    assert sent_bytes(build_request(hole, ask, max_tokens=1, request_id="")) == 1


def snippet(name: str, lines: int) -> Snippet:
    """A piece of another file, of so many lines."""
    text = "".join(f"{name}_{line} = {line}\n" for line in range(lines))
    return Snippet(f"{name}.py", text)


def test_other_files_stand_in_an_order_of_their_own() -> None:
    """A new rank of the same pieces leaves the prompt, and so the server's cache, as it is."""
    context = [snippet("b", 3), snippet("a", 2), snippet("c", 1)]
    ways = {
        build_request(HOLE, FIM, max_tokens=50, request_id="", context=ranked).prompt
        for ranked in permutations(context)
    }
    assert len(ways) == 1


def test_the_most_useful_of_other_files_come_first_where_room_is_short() -> None:
    """What does not fit is shortened by whole lines, what comes behind it is left out."""
    ask = replace(FIM, context_tokens=512)
    context = [snippet("b", 4), snippet("a", 500), snippet("c", 1)]
    prompt = build_request(HOLE, ask, max_tokens=50, request_id="", context=context).prompt
    assert isinstance(prompt, TextPrompt)
    assert "<|file_sep|>b.py\nb_0 = 0\nb_1 = 1\nb_2 = 2\nb_3 = 3\n<|file_sep|>" in prompt.text
    a_lines = re.findall(r"^a_\d+ = \d+$", prompt.text, re.MULTILINE)
    assert 10 < len(a_lines) < 200
    assert a_lines[-1] == f"a_{len(a_lines) - 1} = {len(a_lines) - 1}"
    assert "c.py" not in prompt.text


def test_a_long_file_keeps_half_of_the_prompt() -> None:
    """Other files take from the prefix, never more than half of the budget."""
    lines = "".join(f"value_{number} = {number}\n" for number in range(2000))
    hole = Hole("python", lines, "\n")
    context = [snippet("a", 2000)]
    prompt = build_request(hole, FIM, max_tokens=50, request_id="", context=context).prompt
    assert isinstance(prompt, TextPrompt)
    above, _, prefix = prompt.text.partition("<|fim_prefix|>")
    assert 400 < estimated_tokens(above) < 1024
    assert estimated_tokens(prefix) > 650  # the cut moves in steps of a quarter


def test_without_other_files_a_prompt_is_as_it_was() -> None:
    """No path, no language, no repository: what was measured is what is asked."""
    named = replace(HOLE, path="/home/someone/shop/cart.py")
    assert prompt_text(named, FIM) == prompt_text(HOLE, FIM)


def test_only_the_name_of_the_file_leaves() -> None:
    """Not the folders above it, which name people and projects."""
    named = replace(HOLE, path="/home/someone/shop/cart.py")
    hinted = prompt_text(named, replace(FIM, hint=True))
    assert hinted.startswith("<|file_sep|>cart.py\n<|fim_prefix|>def f(a):")
    assert "someone" not in hinted


_CODE = st.text(st.sampled_from("ab =()\n\t") | st.characters(), max_size=3000)


_SNIPPETS = st.lists(st.builds(Snippet, path=st.just("a/b.py"), text=_CODE), max_size=3)


@settings(deadline=None)
@given(
    prefix=_CODE,
    suffix=_CODE,
    size=st.integers(256, 1024),
    shrink=st.sampled_from([1, 2, 4]),
    family=st.sampled_from([None, *sorted(FAMILIES)]),
    context=_SNIPPETS,
)
def test_every_prompt_fits_its_budget(
    prefix: str, suffix: str, size: int, shrink: int, family: str | None, context: list[Snippet]
) -> None:
    """By the safe estimate, prompt and answer stay within the context, whatever the text."""
    ask = Ask(family, chat=True, grammar=False, context_tokens=size)
    hole = Hole("python", prefix, suffix)
    request = build_request(hole, ask, max_tokens=50, request_id="", shrink=shrink, context=context)
    prompt = request.prompt
    text = prompt.text if isinstance(prompt, TextPrompt) else prompt.user + prompt.prefill
    # A control token is one token, however long it is written.
    code = text if family is None else FAMILIES[family].control.sub("", text)
    assert estimated_tokens(code) <= size - 50


@settings(deadline=None)
@given(lines=_LINES, shrink=st.sampled_from([1, 2, 4]), size=st.integers(256, 1024))
def test_what_a_tokenizer_told_keeps_prompts_within_the_context(
    lines: list[str], shrink: int, size: int
) -> None:
    """A server that took all of its context would never have to cut or to refuse."""
    text = "".join(f"{line}\n" for line in lines * 20)
    counts = told(text + TEXT, by_word)
    ask = replace(FIM, context_tokens=size, count=counts.count)
    request = build_request(
        Hole("python", text, text), ask, max_tokens=50, request_id="", shrink=shrink
    )
    assert isinstance(request.prompt, TextPrompt)
    control = len(FAMILIES["qwen"].markers)
    code = FAMILIES["qwen"].control.sub("", request.prompt.text)
    assert len(by_word(code)) + control <= size - 50
    if shrink == 1 and len(by_word(text)) > size:
        assert len(by_word(code)) > 0.6 * (size - 50 - FRAME_TOKENS)


@settings(deadline=None)
@given(prefix=_CODE, suffix=_CODE, size=st.integers(256, 1024))
def test_where_no_tokenizer_tells_the_last_try_fits(prefix: str, suffix: str, size: int) -> None:
    """A server that finds an estimate too low refuses: of a quarter each byte may be a token."""
    hole = Hole("python", prefix, suffix)
    ask = replace(FIM, context_tokens=size)
    request = build_request(hole, ask, max_tokens=50, request_id="", shrink=SHRINKS[-1])
    assert isinstance(request.prompt, TextPrompt)
    code = FAMILIES["qwen"].control.sub("", request.prompt.text)
    assert len(code.encode("utf-8", "replace")) + len(FAMILIES["qwen"].markers) <= size - 50


@settings(deadline=None)
@given(text=_CODE, budget=st.integers(0, 500))
def test_cuts_are_ends_of_the_text_within_the_budget(text: str, budget: int) -> None:
    """A head is a head, a tail is a tail, and neither exceeds its budget."""
    head, tail = head_within(text, budget), tail_within(text, budget)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert max(estimated_tokens(head), estimated_tokens(tail)) <= budget
