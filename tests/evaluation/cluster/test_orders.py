"""Orders for nodes: they hold all that is needed, and no key."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.cluster.orders import Order, read, written
from synconfroute.evaluation.cluster.work import answered
from synconfroute.evaluation.datasets.task import Answers, RunToEnd, Same, Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import NONE, Examples
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Draw, Plan
from synconfroute.evaluation.predictions import prediction_of
from synconfroute.server.settings.tree import Local, Org, Settings
from tests.evaluation.generation.functions import tasks
from tests.server.command.model_server import ModelServer, serving

MODEL = ModelName("openai", "qwen2.5-coder")
BENCH = "humaneval-single-line"

texts = st.text(st.characters(), max_size=20)
checks = st.one_of(
    st.builds(RunToEnd, texts),
    st.builds(Same),
    st.builds(
        Answers,
        st.lists(st.tuples(texts, st.lists(texts, max_size=2).map(tuple)), max_size=2).map(tuple),
        texts,
    ),
)
a_task = st.builds(
    Task,
    id=texts,
    bench=st.just(BENCH),
    language=st.just("python"),
    group=texts,
    prefix=texts,
    suffix=texts,
    truth=texts,
    whole_lines=st.booleans(),
    check=checks,
)


def order(some: list[Task], settings: Settings | None = None, shots: int = 0) -> Order:
    """An order for these tasks, with the first ones as examples."""
    examples = Examples(lambda _: some, shots) if shots else NONE
    planned = Plan(Draw(Path("data"), BENCH), Conditions(shots=shots), tuple(some),
                   {BENCH: examples})  # fmt: skip
    return Order(planned, MODEL, settings or Settings())


@settings(deadline=None)
@given(st.lists(a_task, min_size=1, max_size=4, unique_by=lambda each: each.id))
def test_tasks_arrive_as_they_left(some: list[Task]) -> None:
    """Whatever stands in them."""
    assert list(read(written(order(some)), Settings()).planned.tasks) == some


def test_examples_arrive() -> None:
    """Those of each task, never of its own function, ready for the prompt."""
    some = tasks(4)
    there = read(written(order(some, shots=2)), Settings()).planned
    for each in some:
        here = [other for other in some if other != each][:2]
        found = there.examples[BENCH].of(each)
        assert [(e.id, e.prefix, e.truth, e.below) for e in found] == [
            (e.id, e.prefix, e.truth, e.below) for e in here
        ]


def test_no_key_leaves() -> None:
    """Addresses and limits are the sender's; keys are those of the machine that reads."""
    local = Local(url="http://127.0.0.1:8000/v1", api_key="sender's")
    text = written(order(tasks(1), Settings(local=local, org=Org(headers={"X": "sender's"}))))
    assert "sender's" not in text
    there = read(text, Settings(local=Local(api_key="reader's"))).settings
    assert (there.local.url, there.local.api_key) == (local.url, "reader's")


def test_another_version_is_refused() -> None:
    """Answers of two versions would not be alike."""
    text = json.dumps(json.loads(written(order(tasks(1)))) | {"version": "0.0.1"})
    with pytest.raises(EvaluationError, match=r"not 0\.0\.1 as here"):
        read(text, Settings())


def test_an_order_is_done(home: Path) -> None:
    """Answered by the model that the order names, executed; where the model is gone, it says so."""
    assert home.is_dir()
    with serving(ModelServer(text="    return a + b\n")) as server:
        text = written(order(tasks(2), Settings(local=Local(url=server.url))))
        done = answered(text)
    assert done["failed"] == ""
    answers = [prediction_of(line) for line in done["answers"]]
    assert [each.task_id for each in answers] == [each.id for each in tasks(2)]
    assert all(each.passed and each.provenance["cleaned_passed"] for each in answers)
    later = answered(text)
    assert later["answers"] == []
    assert str(later["failed"]).startswith(f"Nothing answers at {server.url}")
