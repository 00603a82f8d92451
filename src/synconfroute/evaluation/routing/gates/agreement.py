"""Two models write the same text: a sign of quality, yet no router."""

from collections.abc import Sequence

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.gates.gate import Gate, gate

_NOTE = " (needs the larger model's answer each time: saves nothing)"


def agreement(examples: Sequence[Example]) -> Gate:
    """Flag local answers that differ from the larger model's but for white space around them."""
    flags = [each.sight.text.strip() != each.larger_text.strip() for each in examples]
    return gate("agreement", examples, flags, _NOTE)
