"""Majorities of several answers."""

import pytest

from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.generation.voting import elected, vote
from synconfroute.evaluation.predictions import Prediction
from tests.evaluation.generation.functions import tasks


@pytest.mark.parametrize(
    ("texts", "confidences", "winner"),
    [
        (["a", "b", "a"], [0.1, 0.9, 0.1], "a"),
        (["a", "b"], [0.4, 0.6], "b"),
        (["a", "b", "b", "a"], [0.5, 0.4, 0.2, 0.3], "a"),
        (["a", "b"], [None, 0.2], "b"),
        (["a"], [None], "a"),
    ],
)
def test_the_majority_wins_and_ties_go_to_the_surer(
    texts: list[str], confidences: list[float | None], winner: str
) -> None:
    """Most answers; of equals the text whose surest answer is the surest."""
    assert elected(texts, confidences) == winner


def test_what_a_vote_comes_to() -> None:
    """Only the first answers vote; different texts and hopeless tasks are counted among them."""
    one, other = tasks(2)
    drawn = {one.id: "aab", other.id: "ccd"}
    ballots = [
        [
            Stored(task, Prediction(task.id, f"    {text}", provenance={"confidence": 0.5}))
            for text in drawn[task.id]
        ]
        for task in (one, other)
    ]
    passes = {
        (task.bench, task.id, f"    {text}"): text in "ad"
        for task in (one, other)
        for text in "abcd"
    }
    found = vote(ballots, 3, passes)
    assert (found.right, found.distinct, found.hopeless) == ((True, False), 2.0, 0)
    found = vote(ballots, 2, passes)
    assert (found.right, found.distinct, found.hopeless) == ((True, False), 1.0, 1)
