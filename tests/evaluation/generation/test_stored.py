"""Stored answers find their tasks, and are read as they were when they were stored."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.opening import hole_of, indented
from synconfroute.evaluation.generation.stored import with_tasks
from synconfroute.evaluation.generation.verdicts import verdicts_of
from synconfroute.evaluation.predictions import Prediction, read_predictions
from synconfroute.server.completion.cleaning.following_lines import stands_below
from synconfroute.server.completion.hole import Hole
from synconfroute.validators.verdict import Outcome, Verdict
from tests.evaluation.generation.functions import answer, tasks, write_benchmark


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with three tasks of one line, and no other benchmark."""
    write_benchmark(tmp_path, 3)
    return tmp_path


def test_an_answer_finds_its_task_with_and_without_its_benchmark(data: Path) -> None:
    """What names its benchmark is looked for there, what names none in all there are."""
    named = answer(tasks(3)[1])
    nameless = Prediction(tasks(3)[2].id, "x")
    found = with_tasks(data, [nameless, named])
    assert [each.task.id for each in found] == [nameless.task_id, named.task_id]
    assert [each.prediction for each in found] == [nameless, named]


def test_the_cursor_is_where_it_was(data: Path) -> None:
    """An answer that was asked for behind the indentation does not begin with it."""
    asked = replace(answer(tasks(1)[0]), provenance={"cursor": "indented"})
    (found,) = with_tasks(data, [asked])
    plain = with_tasks(data, [answer(tasks(1)[0])])[0].task
    assert found.task == indented(plain)


@pytest.mark.parametrize(
    "lost", [answer(tasks(9)[8]), Prediction("Other/1", "x"), answer(tasks(9)[8], "")]
)
def test_an_answer_without_a_task_is_a_sentence(data: Path, lost: Prediction) -> None:
    """Answers to other tasks than the folder's are not left out in silence."""
    with pytest.raises(EvaluationError, match=f"no task {lost.task_id}"):
        with_tasks(data, [lost])


def test_a_folder_without_any_benchmark(tmp_path: Path) -> None:
    """Where no benchmark can be read at all, the first one that is missing is named."""
    with pytest.raises(EvaluationError, match="holds neither"):
        with_tasks(tmp_path, [Prediction("Other/1", "x")])


class _Refusing:
    """Finds every text invalid."""

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        return Verdict(Outcome.INVALID, "a test says so")

    async def aclose(self) -> None:
        """Nothing to end."""


@pytest.mark.parametrize(("profile", "shown"), [("live", ""), ("paper", "    return a b")])
async def test_what_breaks_the_buffer_is_not_shown(data: Path, profile: str, shown: str) -> None:
    """Where no repair helps the server shows nothing; the paper shows every answer."""
    asked = Prediction(tasks(1)[0].id, "    return a b", provenance={"profile": profile})
    (found,) = with_tasks(data, [asked])
    assert await found.shown(_Refusing()) == shown


def test_recorded_answers_pass_as_recorded(data_folder: Path, home: Path) -> None:
    """Our reading and execution of recorded raw answers agree with what was recorded of them."""
    (file,) = (data_folder / "predictions").glob("*0.5b*")
    stored = with_tasks(data_folder, list(islice(read_predictions(file), 24)))
    results = judge([(each.task, each.raw) for each in stored], cache=False)
    assert [each.passed for each in results] == [each.prediction.passed for each in stored]
    assert home.is_dir()


@pytest.mark.parametrize("model", ["0.5b", "1.5b"])
async def test_no_right_recorded_answer_is_changed(data_folder: Path, model: str) -> None:
    """Cleaning, verdict and repair leave every answer alone that passed as it was recorded.

    Two of the 0.5B's are the very line that stands below: nothing is shown, and that passes too.
    """
    (file,) = (data_folder / "predictions").glob(f"*{model}*")
    right = [each for each in read_predictions(file) if each.passed]
    verdicts = verdicts_of("live")
    try:
        for each in with_tasks(data_folder, right):
            wanted = "" if stands_below(hole_of(each.task), each.raw) else each.raw
            assert (await each.shown(verdicts)).rstrip() == wanted.rstrip()
    finally:
        await verdicts.aclose()
