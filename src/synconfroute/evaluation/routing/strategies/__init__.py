"""The strategies, under their fixed names, in the order of the table."""

from collections.abc import Callable, Sequence
from functools import partial

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.strategies.cascade import cascade
from synconfroute.evaluation.routing.strategies.combined import combined
from synconfroute.evaluation.routing.strategies.confidence import confidence
from synconfroute.evaluation.routing.strategies.constant import larger, local
from synconfroute.evaluation.routing.strategies.eagle import eagle_binary, eagle_ternary
from synconfroute.evaluation.routing.strategies.evidence import evidence
from synconfroute.evaluation.routing.strategies.knn import knn
from synconfroute.evaluation.routing.strategies.nearest import Vector
from synconfroute.evaluation.routing.strategies.oracle import oracle
from synconfroute.evaluation.routing.strategies.score import score
from synconfroute.evaluation.routing.strategies.static import static
from synconfroute.evaluation.routing.strategies.synconfroute import synconfroute
from synconfroute.evaluation.routing.strategy import Rule, Strategy

_HALF = 0.5


def strategies(vector: Vector | None) -> tuple[Strategy, ...]:
    """All of them.

    Args:
        vector: the embedding of the text around a hole (`embedding`); None: without the
            strategies that need it.
    """
    return (
        Strategy("always-local", local, threshold=_HALF),
        Strategy("always-larger", larger, before=True, threshold=_HALF),
        Strategy("oracle", oracle, threshold=_HALF, bound=True),
        Strategy("confidence", confidence),
        Strategy("cascade", cascade),
        Strategy("static", static, before=True, learned=True),
        *(_by_likeness(vector) if vector is not None else ()),
        Strategy("synconfroute", synconfroute, judges=True),
        Strategy("evidence", evidence, judges=True),
        Strategy("score", score, judges=True, learned=True),
    )


def _by_likeness(vector: Vector) -> tuple[Strategy, ...]:
    fits: dict[str, Callable[[Sequence[Example], Vector], Rule]] = {
        "knn": knn,
        "combined": combined,
        "eagle-binary": eagle_binary,
        "eagle-ternary": eagle_ternary,
    }

    def fitted(name: str, examples: Sequence[Example]) -> Rule:
        return fits[name](examples, vector)

    return tuple(Strategy(name, partial(fitted, name), before=True, learned=True) for name in fits)
