"""What a routing rule may see of a task, and what it is scored by."""

from dataclasses import dataclass

from synconfroute.clients.model import Token
from synconfroute.validators.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Sight:
    """All that a rule may see of one local answer. Whether it is right is not among it.

    Attributes:
        task_id: the task.
        group: the function that the task is of; no rule is fitted and tested on the same one.
        language: LSP language id.
        prefix: the text before the hole.
        suffix: the text after the hole.
        text: the local answer, as it would be inserted.
        tokens: its tokens with log-probs, in order.
        verdict: what inserting it does to the buffer, with the evidence.
    """

    task_id: str
    group: str
    language: str
    prefix: str
    suffix: str
    text: str
    tokens: tuple[Token, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Example:
    """A task whose local and larger answers have both been executed.

    Attributes:
        sight: what a rule may see.
        local_right: the local answer passed.
        larger_right: the larger model's answer passed.
        local_seconds: how long the local answer took, or None.
        larger_seconds: how long the larger model's took, or None.
        larger_text: the larger model's answer, as it would be inserted.
    """

    sight: Sight
    local_right: bool
    larger_right: bool
    local_seconds: float | None = None
    larger_seconds: float | None = None
    larger_text: str = ""
