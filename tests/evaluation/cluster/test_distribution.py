"""Batches on a cluster whose nodes fail as a test says: every task has one answer, or an error."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.cluster.batches import batches
from synconfroute.evaluation.cluster.distribution import Distribution
from synconfroute.evaluation.cluster.nodes import Node
from synconfroute.evaluation.cluster.work import Done
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.predictions import Prediction
from tests.evaluation.generation.functions import answer, task, tasks

NOTHING_THERE = "Nothing answers at http://127.0.0.1:11434: start it."


@dataclass
class ScriptedCluster:
    """Two nodes that take turns.

    Attributes:
        bad: tasks that no node can answer.
        dumb: nodes whose model cannot be asked.
        lost: tasks whose batch is lost for good.
        order: which of what runs ends first, as numbers that are drawn from.
        alive: the nodes that live.
    """

    bad: frozenset[str] = frozenset()
    dumb: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    order: list[int] = field(default_factory=list)
    alive: list[str] = field(default_factory=lambda: ["first", "second"])
    begun: list[tuple[str, list[str]]] = field(default_factory=list)
    dies_after: int = 10**9

    def nodes(self) -> list[Node]:
        """Both; the second may have died."""
        if len(self.begun) > self.dies_after:
            self.alive = ["first"]
        return [Node(name, "127.0.0.1", name in self.alive, 1.0) for name in ("first", "second")]

    def begin(self, order: str, not_on: Sequence[str]) -> Hashable:
        """The node whose turn it is."""
        able = [name for name in self.alive if name not in not_on]
        self.begun.append((able[len(self.begun) % len(able)], order.split()))
        return len(self.begun) - 1

    def ended(self, begun: Sequence[Hashable], seconds: float) -> list[Hashable]:
        """One of them."""
        assert seconds > 0
        return [begun[(self.order.pop() if self.order else 0) % len(begun)]]

    def done(self, begun: Hashable) -> Done:
        """Answers, up to the first that cannot be had."""
        assert isinstance(begun, int)
        node, names = self.begun[begun]
        if self.lost & set(names):
            raise EvaluationError("Batches are lost.")
        answers: list[Prediction] = []
        for name in names:
            if node in self.dumb or name in self.bad:
                return Done(node, tuple(answers), NOTHING_THERE)
            answers.append(answer(task(int(name.split("/")[2]))))
        return Done(node, tuple(answers), "")


async def answered(cluster: ScriptedCluster, count: int = 20) -> tuple[list[str], list[str], str]:
    """The tasks answered, what was told, and the error, if any."""
    told: list[str] = []
    distribution = Distribution(cluster, lambda few: " ".join(t.id for t in few), told.append)
    came: list[str] = []
    try:
        async for each in distribution.answers(tasks(count)):
            came += [each.task_id]
    except EvaluationError as error:
        return came, told, str(error)
    return came, told, ""


def ids(count: int) -> list[str]:
    """Of the first tasks."""
    return [each.id for each in tasks(count)]


async def test_a_node_without_its_model_gets_no_more_work() -> None:
    """After two batches that failed there; the other node does them all."""
    cluster = ScriptedCluster(dumb=frozenset({"second"}))
    came, told, error = await answered(cluster)
    assert (sorted(came), error) == (sorted(ids(20)), "")
    assert told == [f"On node 127.0.0.1 (second): {NOTHING_THERE} It gets no more work."]
    assert 2 <= sum(node == "second" for node, _ in cluster.begun) <= 4  # some were under way


async def test_no_node_has_the_model() -> None:
    """The run ends with what failed."""
    came, told, error = await answered(ScriptedCluster(dumb=frozenset({"first", "second"})))
    assert came == []
    assert len(told) == 2
    assert error.endswith(f": {NOTHING_THERE}")


async def test_a_task_that_cannot_be_answered_is_not_tried_for_ever() -> None:
    """All others are answered, then the run ends with a sentence; no node is blamed."""
    cluster = ScriptedCluster(bad=frozenset({ids(20)[5]}))
    came, told, error = await answered(cluster)
    assert set(ids(20)) - set(came) <= {"", *ids(20)[5:8]}  # the rest of its batch
    assert len(came) == len(set(came))
    assert told == []
    assert NOTHING_THERE in error
    assert sum(ids(20)[5] in names for _, names in cluster.begun) == 3


async def test_a_batch_that_is_lost_ends_the_run() -> None:
    """What runs is still brought in."""
    came, _, error = await answered(ScriptedCluster(lost=frozenset({ids(20)[0]}), order=[1, 0]))
    assert error == "Batches are lost."
    assert came
    assert ids(20)[0] not in came


async def test_a_node_that_dies_is_told_once() -> None:
    """Its batches are Ray's to do again; the run goes on."""
    came, told, error = await answered(ScriptedCluster(dies_after=3))
    assert (sorted(came), error) == (sorted(ids(20)), "")
    assert told == ["Node 127.0.0.1 (second) is gone: what it had begun is done again elsewhere."]


@settings(deadline=None, max_examples=30)
@given(st.data())
async def test_no_task_is_answered_twice(data: st.DataObject) -> None:
    """Whatever fails, and in whatever order batches end: once each, or the run has an error."""
    names = st.frozensets(st.sampled_from(ids(20)), max_size=2)
    cluster = ScriptedCluster(
        bad=data.draw(names),
        dumb=data.draw(st.frozensets(st.sampled_from(["first", "second"]))),
        lost=data.draw(names),
        order=data.draw(st.lists(st.integers(0, 100), max_size=30)),
        dies_after=data.draw(st.integers(0, 10)),
    )
    came, _, error = await answered(cluster)
    assert len(came) == len(set(came))
    assert bool(error) == (set(came) != set(ids(20)))


@given(st.lists(st.sampled_from(["b", "a"]), max_size=100), st.integers(0, 400))
def test_batches_hold_all_tasks_in_order(benches: list[str], processors: int) -> None:
    """Each of one benchmark, none empty, none of more than 16."""
    given_tasks: list[Task] = [task(number, bench) for number, bench in enumerate(benches)]
    cut = batches(given_tasks, processors)
    assert [each for batch in cut for each in batch.tasks] == given_tasks
    assert all(1 <= len(batch.tasks) <= 16 for batch in cut)
    assert all(len({each.bench for each in batch.tasks}) == 1 for batch in cut)


def test_few_tasks_are_cut_finely() -> None:
    """Four batches for a processor, so that the last ones end at about the same time."""
    assert [len(batch.tasks) for batch in batches(tasks(40), 2)] == [5] * 8


@pytest.mark.parametrize("count", [0, 1])
async def test_almost_nothing_to_do(count: int) -> None:
    """No task, no batch."""
    cluster = ScriptedCluster()
    assert await answered(cluster, count) == (ids(count), [], "")
    assert len(cluster.begun) == count
