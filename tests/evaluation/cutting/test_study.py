"""What the ways of cutting come to."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from synconfroute.clients.model import Token
from synconfroute.evaluation.cutting.study import study
from synconfroute.evaluation.cutting.ways import WAYS, Ways
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.predictions import Prediction
from tests.evaluation.generation.functions import task


def ways(number: int, bench: str, right: Sequence[str], *, end_right: bool) -> Ways:
    """An answer of ten tokens, of which four are waited for, with these ways right."""
    to = replace(task(number), bench=bench)
    tokens = (Token("a", -0.1),) * 10
    texts = {way: f"{way} {'right' if way in right else 'wrong'}" for way in WAYS}
    ends = ("first wrong", "second right" if end_right else "second wrong")
    return Ways(Stored(to, Prediction(to.id, "a" * 10, tokens)), texts, ends, 4)


def execute(pairs: Sequence[tuple[Task, str]]) -> list[bool]:
    """By what the text says; nothing is executed twice."""
    assert len(set(pairs)) == len(pairs)
    return [text.endswith("right") for _, text in pairs]


def test_shares_by_benchmark_and_in_total() -> None:
    """The best cut is any line end that passes; what is saved is counted in tokens."""
    answers = [
        ways(1, "one", ["structural", "longest"], end_right=True),
        ways(2, "one", [], end_right=True),
        ways(3, "two", ["structural"], end_right=True),
        ways(4, "two", [], end_right=False),
    ]
    one, two, total = study(answers, execute)
    assert [part.bench for part in (one, two, total)] == ["one", "two", "total"]
    assert [part.tasks for part in (one, two, total)] == [2, 2, 4]
    assert {way: share.value for way, share in total.pass_at_1.items()} == {
        "raw": 0.0, "shortest": 0.0, "longest": 0.25, "plain": 0.0, "structural": 0.5, "best": 0.75,
    }  # fmt: skip
    assert total.of_best is not None
    assert total.of_best.value == pytest.approx(2 / 3)
    assert total.of_best.low <= total.of_best.value <= total.of_best.high
    assert (total.tokens, total.saved, one.saved) == (40, 24, 12)


def test_nothing_can_be_right() -> None:
    """There is no ratio to what is nothing."""
    (part, _) = study([ways(1, "one", [], end_right=False)], execute)
    assert part.of_best is None
