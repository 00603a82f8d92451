"""Strategies replayed: the limits that every routing rule has."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.folds import Split, as_in_paper, by_function
from synconfroute.evaluation.routing.replay import Routed, replay
from synconfroute.evaluation.routing.row import row
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.evaluation.routing.strategies.synconfroute import Algorithm1
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.router import Keep, decide
from synconfroute.server.settings.tree import Settings
from synconfroute.validators.verdict import Outcome, Verdict
from tests.evaluation.routing.made import example

NAMES = [
    "always-local", "always-larger", "oracle", "confidence", "cascade", "static", "knn", "combined",
    "eagle-binary", "eagle-ternary", "synconfroute", "evidence", "score",
]  # fmt: skip
OUTCOMES = st.sampled_from(list(Outcome))
EXAMPLES = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.floats(0.01, 1.0), OUTCOMES, st.booleans()),
    min_size=2,
    max_size=30,
).map(
    lambda rows: [
        example(
            number,
            local=local,
            larger=larger,
            sure=sure,
            outcome=outcome,
            kinds=["name"] if doubted else [],
            group=f"function {number % 3}",
        )
        for number, (local, larger, sure, outcome, doubted) in enumerate(rows)
    ]
)


def vector(sight: Sight) -> np.ndarray:
    """A stand-in for the embedding: holes are alike if their prefixes begin alike."""
    found = np.array([sight.prefix.count(letter) + 0.1 for letter in "abcdefgh"])
    found /= np.linalg.norm(found)
    return found


ALL = {strategy.name: strategy for strategy in strategies(vector)}


def kept(name: str, examples: Sequence[Example], threshold: float) -> list[bool]:
    """Whose local answer a strategy keeps at a threshold; nothing is fitted."""
    rule = ALL[name].fit(examples)
    return [rule.score(each.sight) >= threshold for each in examples]


def quality(tasks: Sequence[Routed]) -> float:
    """Share of tasks that are answered right."""
    return sum(task.right for task in tasks) / len(tasks)


def test_the_names_are_fixed() -> None:
    """Scripts rely on names and order; what needs the embedding can be left out."""
    assert list(ALL) == NAMES
    left = [strategy.name for strategy in strategies(None)]
    assert left == [name for name in NAMES if not name.startswith(("knn", "combined", "eagle"))]


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES)
def test_a_threshold_of_nought_keeps_all_that_is_not_invalid(examples: list[Example]) -> None:
    """With nothing invalid it is always-local."""
    whole = [
        replace(each, sight=replace(each.sight, verdict=Verdict(Outcome.VALID, "")))
        for each in examples
    ]
    for name in ("confidence", "synconfroute", "evidence", "always-local"):
        assert all(kept(name, whole, 0.0))


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES)
def test_a_threshold_above_one_sends_all(examples: list[Example]) -> None:
    """Then every rule is always-larger."""
    for name in ("confidence", "cascade", "synconfroute", "evidence", "score"):
        assert not any(kept(name, examples, 1.01))


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES, threshold=st.floats(0.0, 1.0))
def test_invalid_answers_are_all_sent(examples: list[Example], threshold: float) -> None:
    """With every answer invalid Algorithm 1 is always-larger."""
    broken = [
        replace(each, sight=replace(each.sight, verdict=Verdict(Outcome.INVALID, "")))
        for each in examples
    ]
    for name in ("synconfroute", "evidence"):
        assert not any(kept(name, broken, threshold))


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES, threshold=st.floats(0.0, 1.1))
def test_algorithm_1_keeps_no_answer_that_confidence_sends(
    examples: list[Example], threshold: float
) -> None:
    """Its local share is at most that of confidence, and that of evidence at most its own."""
    sure, ours, wary = (
        kept(name, examples, threshold) for name in ("confidence", "synconfroute", "evidence")
    )
    assert all(a >= b >= c for a, b, c in zip(sure, ours, wary, strict=True))


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES, threshold=st.floats(0.0, 1.0))
def test_the_replayed_rules_are_the_servers(examples: list[Example], threshold: float) -> None:
    """`decide` keeps exactly what the strategies paper and evidence keep."""
    for rule, name in (("paper", "synconfroute"), ("evidence", "evidence")):
        router = replace(Settings().router, rule=rule, threshold=threshold)
        at = replace(Settings(), router=router)
        for each, ours in zip(examples, kept(name, examples, threshold), strict=True):
            sight = each.sight
            candidate = Candidate(
                sight.tokens, finished=True, text=sight.text, verdict=sight.verdict
            )
            assert isinstance(decide(candidate, at), Keep) == ours


@settings(max_examples=25, deadline=None)
@given(examples=EXAMPLES)
def test_no_rule_beats_the_oracle(examples: list[Example]) -> None:
    """The oracle is right wherever anybody is."""
    splits = by_function(examples)
    bound = quality(replay(ALL["oracle"], examples, splits))
    assert bound == sum(e.local_right or e.larger_right for e in examples) / len(examples)
    for name in ("always-local", "always-larger", "confidence", "synconfroute", "evidence"):
        assert quality(replay(ALL[name], examples, splits)) <= bound


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_reads_the_answer_that_it_routes(name: str) -> None:
    """Other outcomes of the tested tasks change no score; the oracle alone reads them."""
    examples = separable(label=lambda index: index % 3 == 0)
    (fitted, tested), *_ = by_function(examples)
    other = [
        replace(each, local_right=not each.local_right, larger_right=each.local_right)
        if index in tested
        else each
        for index, each in enumerate(examples)
    ]
    before, after = (replay(ALL[name], which, [(fitted, tested)]) for which in (examples, other))
    same = [task.score for task in before] == [task.score for task in after]
    assert same == (name != "oracle")
    assert [task.threshold for task in before] == [task.threshold for task in after]


@pytest.mark.parametrize("strategy", [each for each in ALL.values() if each.before])
def test_what_decides_beforehand_sees_no_answer(strategy: Strategy) -> None:
    """Text, tokens and verdict of the local answer make no difference."""
    examples = separable(label=lambda index: index % 2 == 0)
    rule = strategy.fit(examples)
    for each in examples[:5]:
        blank = replace(
            each.sight,
            text="",
            tokens=(Token("?", -9.0),),
            verdict=Verdict(Outcome.INVALID, ""),
        )
        assert rule.score(blank) == rule.score(each.sight)


@pytest.mark.parametrize(
    "name", ["static", "knn", "combined", "eagle-binary", "eagle-ternary", "score", "cascade"]
)
def test_what_is_learned_beats_shuffled_labels(name: str) -> None:
    """Where the hole, or the answer, tells who is right, a rule learns it, and not otherwise."""
    true = separable(label=lambda index: index % 2 == 0)
    shuffled = separable(label=lambda index: (index * 7919) % 13 < 6)
    learned = quality(replay(ALL[name], true, by_function(true)))
    chance = quality(replay(ALL[name], shuffled, by_function(shuffled)))
    assert learned > chance + 0.1


def separable(label: Callable[[int], bool], count: int = 120) -> list[Example]:
    """Even tasks look easy: other text around the hole, surer tokens. One of two is right."""
    return [
        example(
            number,
            local=label(number),
            larger=not label(number),
            sure=0.95 if number % 2 == 0 else 0.4,
            prefix="abc = 1\n" * 3 if number % 2 == 0 else "    fgh = 1\n" * 9,
            group=f"function {number // 2 % 20}",
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("splits", [by_function, as_in_paper])
def test_two_tasks_are_enough(
    name: str, splits: Callable[[Sequence[Example]], list[Split]]
) -> None:
    """The smallest study there is: two tasks of two functions."""
    examples = [example(number, local=number == 0) for number in range(2)]
    assert replay(ALL[name], examples, splits(examples))


@pytest.mark.parametrize("name", NAMES)
def test_without_log_probs_the_verdict_decides(name: str) -> None:
    """Answers of a server that gives none can be replayed; what is invalid scores least."""
    examples = [
        example(number, outcome=Outcome.INVALID if number % 2 else Outcome.VALID)
        for number in range(20)
    ]
    blank = [replace(each, sight=replace(each.sight, tokens=())) for each in examples]
    routed = replay(ALL[name], blank, by_function(blank))
    if ALL[name].judges:
        scores = [(task.example.sight.verdict.outcome, task.score) for task in routed]
        assert min(at for outcome, at in scores if outcome is Outcome.VALID) == 1.0
        assert max(at for outcome, at in scores if outcome is Outcome.INVALID) < 0.0


def test_folds_keep_functions_together() -> None:
    """Each task is tested once, and no function stands on both sides."""
    examples = [example(number, group=f"f{number % 11}") for number in range(100)]
    splits = by_function(examples)
    assert sorted(index for _, tested in splits for index in tested) == list(range(100))
    for fitted, tested in splits:
        groups = [{examples[index].sight.group for index in side} for side in (fitted, tested)]
        assert not groups[0] & groups[1]
        assert len(fitted) + len(tested) == 100


def test_the_papers_split() -> None:
    """200 tasks to fit on, the same each time, 833 to test on."""
    examples = [example(number) for number in range(1033)]
    ((fitted, tested),) = as_in_paper(examples)
    assert len(fitted) == 200
    assert len(tested) == 833
    assert as_in_paper(examples) == [(fitted, tested)]


def test_a_row_counts_what_was_lost_and_what_it_cost() -> None:
    """Right answers sent away are split by why; only who is sent waits for the larger model."""
    tasks = [
        Routed(example(1, sure=0.9), 0.9, 0.5),
        Routed(example(2, sure=0.3, larger=False), 0.3, 0.5),
        Routed(example(3, outcome=Outcome.INVALID, larger=False), -1.1, 0.5),
        Routed(example(4, local=False, sure=0.2), 0.2, 0.5),
    ]
    found = row(ALL["synconfroute"], tasks)
    assert (found.pass_at_1, found.local_share, found.cost) == (0.5, 0.25, 0.75)
    assert (found.false_rejections, found.false_low_confidence) == (1, 1)
    assert found.false_escalations == 2
    assert (found.median_seconds, found.larger_seconds) == (3.0, 6.0)
    assert found.threshold == 0.5
    low, high = found.ci95
    assert low <= found.pass_at_1 <= high
    blind = row(ALL["confidence"], tasks)
    assert (blind.false_rejections, blind.false_low_confidence) == (0, 2)
    assert row(ALL["static"], tasks).median_seconds == 2.0


def test_algorithm_1_still_ranks_what_it_rejects() -> None:
    """A curve goes on below the threshold in the order of confidence."""
    rule = Algorithm1()
    unsure, sure = (
        rule.score(example(1, sure=sure, outcome=Outcome.INVALID).sight) for sure in (0.2, 0.8)
    )
    assert unsure < sure < 0.0
