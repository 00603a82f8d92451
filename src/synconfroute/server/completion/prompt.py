"""From a hole to what a model is asked, within its budget."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Protocol

from synconfroute.clients.fim import piece_text, render
from synconfroute.clients.fim_families import FAMILIES
from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    LineGrammar,
    Probe,
    TextPrompt,
)
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.server.completion.budget import Count
from synconfroute.server.completion.comments import commented
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.healing import typed_part
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.indentation_due import indentation_due
from synconfroute.server.completion.window import Window, window_of

SUFFIX_TOKENS = 128
"""The suffix stands behind the prefix in most families: each of its tokens is evaluated again."""
SHRINKS = (1, 2, 4)
"""By how much a budget is divided, try after try, when a server finds the prompt too long."""
FRAME_TOKENS = 48
"""Room for control tokens."""
CHAT_FRAME_TOKENS = 112
"""Room for a chat's turns: the template's own system turn, and our words around the code."""

_UNNAMED = "untitled"
"""What a buffer without a file is called where a format wants a name."""
_CHAT_PIECE = "This stands in {path}:\n```{language}\n{text}```\n\n"
_CHAT_TURN = "Write {file}. It ends with this code:\n```{language}\n{suffix}\n```"
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
        longest_answer: room is kept for so many tokens of answer even where fewer are asked for:
            else a prompt would begin elsewhere where several lines are due than where one is.
        indent: the indentation that is due at the cursor, and missing there, ends the prefix.
        hint: the prompt names the file even where no piece of another one stands in it.
        heal: within a word, the model writes the word anew; see `healing`.
        count: the most tokens that a text has, as its tokenizer says or by estimate.
    """

    family: str | None
    chat: bool
    grammar: bool
    context_tokens: int
    prompt_tokens: int | None = None
    suffix_tokens: int = SUFFIX_TOKENS
    longest_answer: int = 0
    indent: bool = True
    hint: bool = False
    heal: bool = False
    count: Count = estimated_tokens


class Build(Protocol):
    """Makes the request for a hole; see `build_request`."""

    def __call__(
        self,
        hole: Hole,
        ask: Ask,
        *,
        max_tokens: int,
        request_id: str,
        shrink: int = 1,
        context: Sequence[Snippet] = (),
    ) -> GenerationRequest:
        """The request, its budget divided by `shrink`."""
        ...


def how_to_ask(
    probe: Probe,
    *,
    fim: str,
    chat: bool,
    context_tokens: int,
    count: Count = estimated_tokens,
    longest_answer: int = 0,
) -> Ask:
    """What a probe found, under the settings `fim` and `context_tokens` of the tier."""
    chosen = probe.fim_family if fim == "auto" else None if fim == "none" else fim
    context = min(context_tokens, probe.context_tokens or context_tokens)
    return Ask(
        chosen,
        chat,
        probe.grammar,
        context,
        probe.prompt_tokens,
        longest_answer=longest_answer,
        heal=probe.heals,
        count=count,
    )


def build_request(
    hole: Hole,
    ask: Ask,
    *,
    max_tokens: int,
    request_id: str,
    shrink: int = 1,
    context: Sequence[Snippet] = (),
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
        context: pieces of other files, the most useful first. What fits stands at the prompt's
            head as the model's family writes other files.
    """
    max_tokens = answer_tokens(ask, max_tokens)
    given = indentation_due(hole) if ask.indent and (ask.family or ask.grammar) else ""
    hole = replace(hole, prefix=hole.prefix + given)
    cut = _cut(hole, ask, max_tokens, shrink, context)
    typed = typed_part(hole) if ask.heal else ""
    typed = typed if cut.prefix.endswith(typed) else ""
    if ask.family is None and ask.chat and ask.grammar:
        return _forced_line(hole, ask, cut, max_tokens, request_id, given=given, typed=typed)
    prompt = _prompt(hole, ask, cut)
    healed = replace(cut, prefix=cut.prefix.removesuffix(typed))
    return GenerationRequest(
        prompt=_prompt(hole, ask, healed) if typed else prompt,
        max_tokens=max_tokens,
        stop_token_ids=() if ask.family is None else FAMILIES[ask.family].stop_token_ids,
        request_id=request_id,
        given=given,
        heal=typed,
        plain=prompt if typed else None,
    )


def answer_tokens(ask: Ask, max_tokens: int) -> int:
    """The most tokens to generate that leave room for a prompt."""
    return min(max_tokens, max(1, ask.context_tokens // 2))


def window(hole: Hole, ask: Ask, *, max_tokens: int, shrink: int = 1) -> tuple[str, str]:
    """What of prefix and suffix goes into a prompt; the arguments are those of `build_request`."""
    cut = _cut(hole, ask, answer_tokens(ask, max_tokens), shrink)
    return cut.prefix, cut.suffix


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


def _cut(
    hole: Hole, ask: Ask, max_tokens: int, shrink: int, context: Sequence[Snippet] = ()
) -> Window:
    """What goes into the prompt, within the budget."""
    frame = CHAT_FRAME_TOKENS if ask.family is None and ask.chat else FRAME_TOKENS
    named = ask.count(_own_path(hole)) if context or ask.hint else 0
    answer = max(max_tokens, answer_tokens(ask, ask.longest_answer))
    budget = ask.context_tokens - answer - frame - named
    if ask.prompt_tokens is not None:
        # The words of a chat around the code stay in the server's cache, whatever is typed.
        budget = min(budget, ask.prompt_tokens - FRAME_TOKENS - named)
    budget = max(budget // shrink, 32)
    return window_of(
        hole,
        budget,
        suffix_tokens=ask.suffix_tokens,
        context=context,
        written=lambda snippet: _written(hole, ask, snippet),
        count=ask.count,
    )


def _prompt(hole: Hole, ask: Ask, cut: Window) -> TextPrompt | ChatPrompt:
    """The prompt of a model that no line is forced on."""
    if ask.family is None and ask.chat:
        return _chat(hole, ask, cut.prefix, cut)
    form = None if ask.family is None else FAMILIES[ask.family]
    named = bool(cut.pieces) or ask.hint or (form is not None and form.names_file)
    path = _own_path(hole) if named else ""
    prefix = cut.prefix
    if form is None or form.files is None:
        own = commented(hole.language, path)
        prefix = "".join(_written(hole, ask, piece) for piece in cut.pieces) + own + prefix
    if ask.family is None:
        return TextPrompt(prefix)
    text = render(
        ask.family, prefix, cut.suffix, path=path, language=hole.language, pieces=cut.pieces
    )
    return TextPrompt(text)


def _forced_line(
    hole: Hole,
    ask: Ask,
    cut: Window,
    max_tokens: int,
    request_id: str,
    *,
    given: str,
    typed: str,
) -> GenerationRequest:
    """The request of a model without FIM on a server that can force a line.

    White space before the cursor is forced, too, and what was typed of a word.
    """
    begun, lead = _before_white_space(cut.prefix.removesuffix(typed))
    indent = bool(typed) or lead.endswith("\n")
    forbid = "" if hole.left.strip() else _COMMENT.get(hole.language, "")
    return GenerationRequest(
        prompt=_chat(hole, ask, begun, cut),
        max_tokens=max_tokens,
        grammar=LineGrammar(lead + typed, indent=indent, forbid=forbid),
        request_id=request_id,
        given=given,
    )


def _chat(hole: Hole, ask: Ask, prefix: str, cut: Window) -> ChatPrompt:
    """Infilling for a model without FIM: suffix in the user's turn, prefix in the answer."""
    named = f"the {hole.language} file {_own_path(hole)}"
    file = named if cut.pieces or ask.hint else f"a {hole.language} file"
    turn = _CHAT_TURN.format(file=file, language=hole.language, suffix=cut.suffix.strip("\n"))
    above = "".join(_chat_piece(hole, piece) for piece in cut.pieces)
    return ChatPrompt(user=above + turn, prefill=f"```{hole.language}\n{prefix}")


def _chat_piece(hole: Hole, piece: Snippet) -> str:
    text = piece.text if piece.text.endswith("\n") else f"{piece.text}\n"
    return _CHAT_PIECE.format(path=piece.path, language=hole.language, text=text)


def _written(hole: Hole, ask: Ask, piece: Snippet) -> str:
    """A piece of another file as it stands in the prompt."""
    if ask.family is None and ask.chat:
        return _chat_piece(hole, piece)
    own = "" if ask.family is None else piece_text(ask.family, piece)
    return own or commented(hole.language, f"{piece.path}\n{piece.text}")


def _own_path(hole: Hole) -> str:
    """The file's name. Not its whole path: that would tell other people's folders and names."""
    return PurePath(hole.path).name if hole.path else _UNNAMED
