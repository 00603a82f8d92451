"""Which solved tasks stand before a hole (paper, §2.4: five strategies of retrieval)."""

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.examples import Order

if TYPE_CHECKING:
    import numpy as np

Retrieval = Literal["static", "random", "tfidf", "embedding"]
RETRIEVALS: tuple[Retrieval, ...] = ("static", "random", "tfidf", "embedding")

_SEED = 42
_AROUND = 2000
"""Characters on either side of a hole that likeness is measured by."""
_WORD = r"[A-Za-z_]\w*"


def order_of(retrieval: Retrieval, pool: Sequence[Task]) -> Order:
    """The order in which tasks are taken as examples.

    Args:
        retrieval: "static": the same for all, the first functions each with their middle hole;
            "random": drawn anew for each task, the same in each run; "tfidf": by the words around
            the hole, weighted by how rare they are; "embedding": by the vector of the text around.
        pool: what may be taken.

    Raises:
        EvaluationError: the embedding model is not here and cannot be had.
    """
    match retrieval:
        case "static":
            return _static(pool)
        case "random":
            return _random(pool)
        case "tfidf":
            return _by_words(pool)
        case "embedding":
            return _by_vectors(pool)


def _static(pool: Sequence[Task]) -> Order:
    groups: dict[str, list[Task]] = {}
    for task in pool:
        groups.setdefault(task.group, []).append(task)
    chosen = [holes[len(holes) // 2] for holes in groups.values()]
    return lambda _: chosen


def _random(pool: Sequence[Task]) -> Order:
    def order(task: Task) -> Iterable[Task]:
        return random.Random(f"{_SEED} {task.id}").sample(pool, len(pool))  # noqa: S311  no secret

    return order


def _by_words(pool: Sequence[Task]) -> Order:
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(token_pattern=_WORD, lowercase=False)
    known = weights.fit_transform([_around(task) for task in pool])

    def order(task: Task) -> Iterable[Task]:
        likeness = (known @ weights.transform([_around(task)]).T).toarray().ravel()
        return _best_first(pool, likeness)

    return order


def _by_vectors(pool: Sequence[Task]) -> Order:
    import numpy as np

    from synconfroute.evaluation.routing.embedding.holes import vectors_around

    known = np.array(vectors_around([(task.prefix, task.suffix) for task in pool]))

    def order(task: Task) -> Iterable[Task]:
        (vector,) = vectors_around([(task.prefix, task.suffix)])
        return _best_first(pool, known @ vector)

    return order


def _around(task: Task) -> str:
    return f"{task.prefix[-_AROUND:]}\n{task.suffix[:_AROUND]}"


def _best_first(pool: Sequence[Task], likeness: "np.ndarray") -> Iterable[Task]:
    """Of equals the earlier one first."""
    return (pool[index] for index in (-likeness).argsort(kind="stable"))
