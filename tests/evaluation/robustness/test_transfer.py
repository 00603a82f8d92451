"""A threshold taken to another benchmark."""

import pytest

from synconfroute.evaluation.robustness.rules import PAPER, rules
from synconfroute.evaluation.robustness.transfer import Split, move
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.strategies.confidence import confidence
from synconfroute.evaluation.routing.strategies.synconfroute import synconfroute
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.validators.verdict import Outcome
from tests.evaluation.routing.made import example

STRATEGIES = (Strategy("confidence", confidence), Strategy(PAPER, synconfroute, judges=True))


def sure_is_right(count: int, high: float, low: float) -> list[Example]:
    """The local model is right where it is `high` sure, the larger one where it is `low`."""
    return [
        example(number, local=bool(number % 2), larger=not number % 2,
                sure=high if number % 2 else low)
        for number in range(count)
    ]  # fmt: skip


def test_a_threshold_that_fits_here_too() -> None:
    """Nothing is lost, and the area is that of any order that has the right ones first."""
    source, target = sure_is_right(40, 0.9, 0.3), sure_is_right(20, 0.8, 0.25)
    (found,) = move(STRATEGIES, source, [Split("there", tuple(target))])
    assert (found.split, found.tasks) == ("there", 20)
    assert (found.local.value, found.larger.value) == (0.5, 0.5)
    for rule in found.rules:
        assert rule.moved.threshold == 0.31
        assert rule.moved.pass_at_1.value == rule.tuned.pass_at_1.value == 1.0
        assert rule.lost.value == 0.0
        assert rule.area.low <= rule.area.value <= rule.area.high
        assert rule.over_paper.value == 0.0


def test_a_threshold_that_does_not() -> None:
    """Here the model is less sure of all: everything is escalated, which tuning would not do."""
    source, target = sure_is_right(40, 0.9, 0.6), sure_is_right(20, 0.5, 0.2)
    (found,) = move(STRATEGIES, source, [Split("there", tuple(target))])
    for rule in found.rules:
        assert (rule.moved.local_share, rule.moved.pass_at_1.value) == (0.0, 0.5)
        assert (rule.tuned.pass_at_1.value, rule.lost.value) == (1.0, 0.5)


def test_the_area_against_the_papers_rule() -> None:
    """Confidence keeps invalid answers first; the paper's rule keeps them last."""
    target = tuple(
        example(
            number,
            local=bool(number % 2),
            sure=0.5 if number % 2 else 0.9,
            outcome=Outcome.VALID if number % 2 else Outcome.INVALID,
        )
        for number in range(20)
    )
    (found,) = move(STRATEGIES, sure_is_right(40, 0.9, 0.3), [Split("there", target)])
    by_name = {rule.rule: rule for rule in found.rules}
    assert by_name["confidence"].over_paper.value < 0
    assert by_name["confidence"].over_paper.value == pytest.approx(
        by_name["confidence"].area.value - by_name[PAPER].area.value
    )


def test_the_score_has_the_numbers_that_ship() -> None:
    """Those of a model that was measured, whatever the tasks; of another they are fitted."""
    shipped = rules("qwen2.5-coder:0.5b")
    assert "numbers that ship for qwen2.5-coder:0.5b in python" in shipped.numbers
    score = shipped.strategies[-1]
    few, many = score.fit([]), score.fit(sure_is_right(40, 0.9, 0.3))
    sight = example(1).sight
    assert few.score(sight) == many.score(sight)
    assert not score.learned
    other = rules("smollm2:135m")
    assert "No numbers of smollm2:135m ship" in other.numbers
    assert other.strategies[-1].learned
