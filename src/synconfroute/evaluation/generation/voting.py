"""Majorities of several answers to each task (paper, §5.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.generation.stored import Stored

SIZES = (3, 5, 7, 10)
"""How many answers the paper lets vote."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What so many answers to each task come to.

    Attributes:
        answers: how many vote.
        right: for each task, whether the majority's text passes.
        distinct: how many different texts a task has, on average.
        hopeless: tasks that none of the answers has right.
    """

    answers: int
    right: tuple[bool, ...]
    distinct: float
    hopeless: int


def texts_of(ballots: Sequence[Sequence[Stored]]) -> list[list[str]]:
    """The cleaned texts: one list a task, one text a draw."""
    return [[answer.cleaned for answer in ballot] for ballot in ballots]


def elected(texts: Sequence[str], confidences: Sequence[float | None]) -> str:
    """The text that most answers have; of those with equally many the one with the surest answer.

    Args:
        texts: the answers to one task, cleaned.
        confidences: of each; None counts as none.
    """
    surest: dict[str, float] = {}
    for text, confidence in zip(texts, confidences, strict=True):
        surest[text] = max(surest.get(text, 0.0), confidence or 0.0)
    return max(surest, key=lambda text: (texts.count(text), surest[text]))


def vote(
    ballots: Sequence[Sequence[Stored]], size: int, passes: Mapping[tuple[str, str, str], bool]
) -> Vote:
    """Let the first answers to each task vote.

    Args:
        ballots: the answers: one list a task, one answer a draw.
        size: how many vote.
        passes: whether a text passes, by benchmark, task and text.
    """
    right: list[bool] = []
    distinct = hopeless = 0
    for ballot in ballots:
        voting = ballot[:size]
        texts = [answer.cleaned for answer in voting]
        confidences = [answer.prediction.provenance.get("confidence") for answer in voting]
        task = ballot[0].task

        def passed(text: str, bench: str = task.bench, name: str = task.id) -> bool:
            return passes[bench, name, text]

        right.append(passed(elected(texts, confidences)))
        distinct += len(set(texts))
        hopeless += not any(map(passed, texts))
    return Vote(size, tuple(right), distinct / len(ballots), hopeless)
