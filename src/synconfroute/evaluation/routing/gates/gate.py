"""A gate beside the confidence: what it flags goes to the larger model, however sure."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.curve import Curve, curve
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.grid import Scored
from synconfroute.evaluation.routing.metrics import first_three
from synconfroute.evaluation.routing.strategies.synconfroute import REJECTED


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate on these tasks.

    Attributes:
        name: of the gate.
        flagged: answers that it flags.
        false_alarms: right answers among them.
        right: right answers in all.
        curve: quality over local share.
        note: what is to be known of it, a parenthesis with a space before, or "".
    """

    name: str
    flagged: int
    false_alarms: int
    right: int
    curve: Curve
    note: str = ""


def gate(name: str, examples: Sequence[Example], flags: Sequence[bool], note: str = "") -> Gate:
    """What a gate gives.

    Args:
        name: of the gate.
        examples: the tasks.
        flags: which of their local answers it flags.
        note: see `Gate`.
    """
    right = [example.local_right for example in examples]
    return Gate(
        name,
        sum(flags),
        sum(flag and passed for flag, passed in zip(flags, right, strict=True)),
        sum(right),
        curve(
            [
                Scored(
                    first_three(each.sight.tokens) - REJECTED * flag,
                    each.local_right,
                    each.larger_right,
                )
                for each, flag in zip(examples, flags, strict=True)
            ]
        ),
        note,
    )
