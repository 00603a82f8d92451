"""What editors waited for, beside what the scripted models took for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.fleet.mark import Mark, last_mark
from benchmarks.fleet.script import ORG
from benchmarks.fleet.typist import Asked
from benchmarks.model.record import Generation


@dataclass(frozen=True, slots=True)
class Answered:
    """A request whose answer is from a model that said how long it took.

    Attributes:
        mark: which.
        took: seconds that the editor waited.
        models: of these, what the models took: the local one to its third token and the vLLM to
            its end where that answered, else the local one to its end.
        escalated: the answer is the vLLM's.
    """

    mark: Mark
    took: float
    models: float
    escalated: bool

    @property
    def added(self) -> float:
        """Seconds that are nobody's but ours, the system's and this benchmark's."""
        return self.took - self.models


def by_mark(generations: Iterable[Generation]) -> dict[Mark, Generation]:
    """The generations that went to a third token at least, by the request that they were for."""
    found = {}
    for generation in generations:
        mark = last_mark(generation.text)
        if mark is not None and generation.third is not None:
            found[mark] = generation
    return found


def matched(
    asked: Sequence[Asked],
    first: dict[Mark, Generation],
    behind: dict[Mark, Generation] | None = None,
) -> list[Answered]:
    """The requests that showed something, with what their models took.

    Args:
        asked: what editors asked.
        first: generations of the model that was asked first.
        behind: those of the vLLM behind it; None: there is none behind it.
    """
    found = []
    for each in asked:
        escalated = behind is not None and (each.text or "").startswith(ORG)
        models = _models(first.get(each.mark), behind.get(each.mark) if behind else None)
        if each.text is None or models is None or (escalated and models[1] is None):
            continue
        took = models[1] if escalated and models[1] is not None else models[0]
        found.append(Answered(each.mark, each.took, took, escalated))
    return found


def _models(
    first: Generation | None, second: Generation | None
) -> tuple[float, float | None] | None:
    """What the models took: the first alone; the first to its third token and then the second."""
    if first is None or first.third is None:
        return None
    both = None if second is None else first.third - first.came + second.seconds
    return first.seconds, both
