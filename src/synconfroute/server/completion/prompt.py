"""From a hole to what a model is asked, within its budget."""

import math
from dataclasses import dataclass, replace
from typing import Protocol

from synconfroute.clients.fim import render
from synconfroute.clients.fim_families import FAMILIES
from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    LineGrammar,
    Probe,
    TextPrompt,
)
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.indentation_due import indentation_due

CHARACTERS_PER_TOKEN = 2.5
"""Source code has 3 to 4; fewer here, so that an estimate errs to the safe side."""
SUFFIX_TOKENS = 128
"""The suffix stands behind the prefix in most families: each of its tokens is evaluated again."""
SHRINKS = (1, 2, 4)
"""By how much a budget is divided, try after try, when a server finds the prompt too long."""
FRAME_TOKENS = 48
"""Room for control tokens and the words of a chat turn."""

_CHAT_TURN = "Write a {language} file. It ends with this code:\n```{language}\n{suffix}\n```"
_COMMENT = {"python": "#", "java": "/", "cpp": "/", "c": "/"}
"""What a comment line begins with; a small model that may write one does little else."""


@dataclass(frozen=True, slots=True)
class Ask:
    """How one model is asked.

    Attributes:
        family: name of its fill-in-the-middle family, or None.
        chat: it is a chat model behind a chat endpoint; without FIM it is asked to go on with an
            answer begun for it.
        grammar: its server can force a line.
        context_tokens: prompt and answer together, at most.
        prompt_tokens: the prompt, at most; None: what the context leaves.
        suffix_tokens: the suffix in it, at most.
        indent: the indentation that is due at the cursor, and missing there, ends the prefix.
    """

    family: str | None
    chat: bool
    grammar: bool
    context_tokens: int
    prompt_tokens: int | None = None
    suffix_tokens: int = SUFFIX_TOKENS
    indent: bool = True


class Build(Protocol):
    """Makes the request for a hole; see `build_request`."""

    def __call__(
        self, hole: Hole, ask: Ask, *, max_tokens: int, request_id: str, shrink: int = 1
    ) -> GenerationRequest:
        """The request, its budget divided by `shrink`."""
        ...


def how_to_ask(probe: Probe, *, fim: str, chat: bool, context_tokens: int) -> Ask:
    """What a probe found, under the settings `fim` and `context_tokens` of the tier."""
    chosen = probe.fim_family if fim == "auto" else None if fim == "none" else fim
    context = min(context_tokens, probe.context_tokens or context_tokens)
    return Ask(chosen, chat, probe.grammar, context, probe.prompt_tokens)


def build_request(
    hole: Hole, ask: Ask, *, max_tokens: int, request_id: str, shrink: int = 1
) -> GenerationRequest:
    """The request for a hole, cut to what the model can take.

    Where the code around leaves one indentation for the cursor's line, the model is given it. Not
    where it reads plain text or a chat: those end in white space nowhere that it has learnt.

    Args:
        hole: where the completion goes.
        ask: how the model is asked.
        max_tokens: the most tokens to generate.
        request_id: our id of the request.
        shrink: divides the budget; 2 after a server found the prompt too long.
    """
    max_tokens = answer_tokens(ask, max_tokens)
    given = indentation_due(hole) if ask.indent and (ask.family or ask.grammar) else ""
    hole = replace(hole, prefix=hole.prefix + given)
    prefix, suffix = window(hole, ask, max_tokens=max_tokens, shrink=shrink)
    if ask.family is not None:
        return GenerationRequest(
            prompt=TextPrompt(render(ask.family, prefix, suffix)),
            max_tokens=max_tokens,
            stop_token_ids=FAMILIES[ask.family].stop_token_ids,
            request_id=request_id,
            given=given,
        )
    if not ask.chat:
        return GenerationRequest(TextPrompt(prefix), max_tokens, request_id=request_id)
    if not ask.grammar:
        return GenerationRequest(
            _chat(hole.language, prefix, suffix), max_tokens, request_id=request_id
        )
    begun, lead = _before_white_space(prefix)
    forbid = "" if hole.left.strip() else _COMMENT.get(hole.language, "")
    return GenerationRequest(
        prompt=_chat(hole.language, begun, suffix),
        max_tokens=max_tokens,
        grammar=LineGrammar(lead, indent=lead.endswith("\n"), forbid=forbid),
        request_id=request_id,
        given=given,
    )


def answer_tokens(ask: Ask, max_tokens: int) -> int:
    """The most tokens to generate that leave room for a prompt."""
    return min(max_tokens, max(1, ask.context_tokens // 2))


def window(hole: Hole, ask: Ask, *, max_tokens: int, shrink: int = 1) -> tuple[str, str]:
    """What of prefix and suffix goes into a prompt; the arguments are those of `build_request`."""
    budget = ask.context_tokens - answer_tokens(ask, max_tokens) - FRAME_TOKENS
    if ask.prompt_tokens is not None:
        budget = min(budget, ask.prompt_tokens - FRAME_TOKENS)
    budget = max(budget // shrink, 32)
    suffix = head_within(hole.suffix, min(ask.suffix_tokens, budget // 4))
    return tail_within(hole.prefix, budget - estimated_tokens(suffix)), suffix


def sent_bytes(request: GenerationRequest) -> int:
    """How many bytes of text, in UTF-8, leave with a request's prompt."""
    match request.prompt:
        case TextPrompt(text):
            return len(text.encode("utf-8", "replace"))
        case ChatPrompt(user, prefill, system):
            return len((system + user + prefill).encode("utf-8", "replace"))


def _before_white_space(prefix: str) -> tuple[str, str]:
    """Split off the white space before the cursor.

    A prompt that ends in white space is one that no training text was cut at (the tokens of code
    begin with it), so a grammar forces it back instead.
    """
    begun = prefix.rstrip()
    return begun, prefix[len(begun) :]


def _chat(language: str, prefix: str, suffix: str) -> ChatPrompt:
    """Infilling for a model without FIM: suffix in the user's turn, prefix in the answer."""
    return ChatPrompt(
        user=_CHAT_TURN.format(language=language, suffix=suffix.strip("\n")),
        prefill=f"```{language}\n{prefix}",
    )


def estimated_tokens(text: str) -> int:
    """A safe estimate of a text's tokens, above the true number for code."""
    plain = len(text) if text.isascii() else sum(character < "\x80" for character in text)
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (len(text) - plain)


def head_within(text: str, tokens: int) -> str:
    """The longest run of whole lines from the start within a budget, else part of the first."""
    most = int(tokens * CHARACTERS_PER_TOKEN)
    head = text[:most]
    while head and estimated_tokens(head) > tokens:
        head = head[: len(head) * 3 // 4]
    if len(head) == len(text):
        return head
    end = head.rfind("\n")
    return head[:end] if end > 0 else head


def tail_within(text: str, tokens: int) -> str:
    """The end of a text within a budget, beginning at a line's start.

    The cut moves in steps of a quarter of the budget, so that the prompt keeps its first tokens
    while the user types, and the server its cache.
    """
    most = int(tokens * CHARACTERS_PER_TOKEN)
    while most > 0 and estimated_tokens(text[-most:]) > tokens:
        most = most * 3 // 4
    if len(text) <= most:
        return text
    if most <= 0:
        return ""
    step = max(1, most // 4)
    start = math.ceil((len(text) - most) / step) * step
    line = text.find("\n", start)
    return text[line + 1 :] if 0 <= line < len(text) - 1 else text[start:]
