"""Examples made up for tests of routing."""

import math
from collections.abc import Sequence

from synconfroute.clients.model import Token
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.validators.verdict import Evidence, Outcome, Verdict


def example(
    number: int,
    *,
    local: bool = True,
    larger: bool = True,
    sure: float = 0.9,
    outcome: Outcome = Outcome.VALID,
    kinds: Sequence[str] = (),
    group: str | None = None,
    prefix: str = "x = 1\n",
) -> Example:
    """A task; `sure` is the probability of each of its three tokens."""
    evidence = tuple(Evidence(kind, "", 1) for kind in kinds)
    sight = Sight(
        task_id=f"task {number}",
        group=f"function {number % 7}" if group is None else group,
        language="python",
        prefix=prefix,
        suffix="\ny = 2\n",
        text="z = 3",
        tokens=tuple(Token(text, math.log(sure)) for text in ("z", " =", " 3")),
        verdict=Verdict(outcome, "", evidence),
    )
    return Example(sight, local, larger, 1.0, 2.0, "z = 3")
