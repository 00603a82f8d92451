"""The prompt of one task, made by the server's own builder or in the paper's words."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synconfroute.clients.model import GenerationRequest
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import solved
from synconfroute.evaluation.generation.paper_prompt import paper_chat
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import Ask, answer_tokens, build_request, window

_FILES = {"python": "solution.py", "java": "Solution.java", "cpp": "solution.cpp"}
"""What a prompt that names its file calls it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How many characters of a prompt's code were left out to make it fit."""

    prefix: int = 0
    suffix: int = 0


class Prompting:
    """Makes the request for one task; what `server.completion.prompt.Build` asks for."""

    def __init__(self, task: Task, conditions: Conditions, examples: Sequence[Task]) -> None:
        """Prepare the prompt of a task under these conditions, behind these solved examples."""
        self._task = task
        self._conditions = conditions
        self._examples = examples
        self.cut = Cut()

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
        """The request for the hole; `cut` says afterwards what was left out.

        Benchmarks have no other files: `context` is what a `Build` may be given, and not looked at.

        Raises:
            EvaluationError: the model knows no fill-in-the-middle format, and one was asked for.
        """
        conditions = self._conditions
        hole, ask = self._hole(hole), self._ask(hole, ask)
        if conditions.papers_chat:
            prefix, suffix = window(hole, ask, max_tokens=max_tokens, shrink=shrink)
            chat = paper_chat(hole.language, prefix, suffix, self._examples)
            request = GenerationRequest(chat, answer_tokens(ask, max_tokens), request_id=request_id)
        else:
            request = build_request(
                hole, ask, max_tokens=max_tokens, request_id=request_id, shrink=shrink
            )
            hole = replace(hole, prefix=hole.prefix + request.given)
            prefix, suffix = window(hole, ask, max_tokens=max_tokens, shrink=shrink)
        self.cut = Cut(len(hole.prefix) - len(prefix), len(hole.suffix) - len(suffix))
        seed = None if conditions.seed is None else seed_of(conditions.seed, self._task.id)
        return replace(request, temperature=conditions.temperature, seed=seed)

    def _hole(self, hole: Hole) -> Hole:
        """What goes into the prompt; examples are code above, except in the paper's."""
        conditions = self._conditions
        above = "" if conditions.papers_chat else "".join(map(solved, self._examples))
        suffix = self._task.suffix if conditions.suffix == "raw" else hole.suffix
        return replace(
            hole,
            prefix=above + hole.prefix,
            suffix=suffix,
            path=_FILES.get(hole.language, "solution"),
        )

    def _ask(self, hole: Hole, ask: Ask) -> Ask:
        conditions = self._conditions
        if conditions.prompt == "chat":
            ask = replace(ask, family=None, chat=True)
        elif ask.family is None:
            raise EvaluationError(
                "The model has no fill-in-the-middle format that is known here: use --prompt chat,"
                " or name its format with --set local.fim or org.fim."
            )
        heal = ask.heal if conditions.healing == "live" else conditions.healing == "on"
        indent, hint = conditions.indentation == "given", conditions.hint == "path"
        ask = replace(ask, indent=indent, hint=hint, heal=heal)
        if conditions.cut == "context":
            ask = replace(ask, prompt_tokens=None, suffix_tokens=ask.context_tokens)
        if conditions.papers_chat:
            words = paper_chat(hole.language, "", "", self._examples).user
            ask = replace(ask, context_tokens=max(1, ask.context_tokens - estimated_tokens(words)))
        return ask


def seed_of(draw: int, task_id: str) -> int:
    """The seed of one task's request in one draw, in 31 bits.

    With the draw's number alone all its tasks would meet the same random numbers, and an unlucky
    one would be unlucky in all of them.
    """
    return zlib.crc32(f"{draw} {task_id}".encode()) & 0x7FFFFFFF
