"""The unified chat prompt of the profile `paper`.

The paper (§2.3) says what its prompt does (prefix and suffix in, only the missing code out) and not
how it is worded; the words are ours.
"""

from collections.abc import Sequence

from synconfroute.clients.model import ChatPrompt
from synconfroute.evaluation.datasets.task import Task

_TASK = (
    "Fill in the missing code of a {language} file. You get the code before it (prefix) and the"
    " code after it (suffix). Answer with the missing code only: no explanation, no code fence,"
    " nothing of the prefix or the suffix."
)
_HOLE = (
    "Prefix:\n```{language}\n{prefix}\n```\n\nSuffix:\n```{language}\n{suffix}\n```\n\n"
    "Missing code:\n"
)

PROMPT = f"{_TASK}\n\n{_HOLE}"
"""What the report prints: the user's turn, with a name in braces for what is filled in."""


def paper_chat(
    language: str, prefix: str, suffix: str, examples: Sequence[Task] = ()
) -> ChatPrompt:
    """The chat for a hole; solved examples stand between the task and the hole."""
    parts = [_TASK.format(language=language)]
    for example in examples:
        hole = _HOLE.format(language=language, prefix=example.prefix, suffix=example.suffix)
        parts.append(hole + example.truth)
    parts.append(_HOLE.format(language=language, prefix=prefix, suffix=suffix))
    return ChatPrompt("\n\n".join(parts))
