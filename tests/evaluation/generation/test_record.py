"""The file of a run: whatever interrupts it, nothing is lost and nothing is there twice."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.predictions import Prediction, read_predictions
from tests.evaluation.generation.functions import answer, tasks

OPTIONS = {"model": "ollama:m", "shots": 0, "limit": None}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def record(folder: Path, **options: object) -> Record:
    """The record of a run with these options."""
    return Record(folder / "run.jsonl", {**OPTIONS, **options}, {"prompt_text": "Fill in."})


def fill(into: Record, answers: list[Prediction]) -> bytes:
    """Append what is missing, and return what the file then holds."""
    done = into.resume()
    for each in answers[len(done) :]:
        into.append(each)
    return into.file.read_bytes()


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4), data=st.data())
def test_a_run_torn_at_any_byte_goes_on_to_the_same_file(
    texts: list[str], data: st.DataObject
) -> None:
    """Cut the file at any byte, resume, append the rest: it is the file that was never cut."""
    answers = [answer(to, text) for to, text in zip(tasks(len(texts)), texts, strict=True)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = fill(record(folder), answers)
        torn = data.draw(st.integers(0, len(whole)))
        (folder / "run.jsonl").write_bytes(whole[:torn])
        assert fill(record(folder), answers) == whole


def test_what_is_resumed_is_what_was_appended(tmp_path: Path) -> None:
    """Answers come back with all that was recorded of them."""
    answers = [answer(each) for each in tasks(3)]
    fill(record(tmp_path), answers)
    assert record(tmp_path).resume() == answers


def test_the_file_never_holds_half_of_new_outcomes(tmp_path: Path) -> None:
    """The answers with outcomes take the place of those without at once, and nothing stays."""
    run = record(tmp_path)
    fill(run, [answer(each) for each in tasks(2)])
    run.replace([answer(tasks(1)[0], "new\n")])
    assert [each.text for each in read_predictions(run.file)] == ["new\n"]
    assert {file.name for file in tmp_path.iterdir()} == {"run.jsonl", "run.jsonl.run.json"}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"shots": 1}, "shots = 0, not 1"),
        ({"limit": 5}, "limit = None, not 5"),
        ({"model": "org:big"}, "model = ollama:m, not org:big"),
        ({"cursor": "indented"}, "cursor = None, not indented"),
    ],
)
def test_other_options_do_not_go_on(tmp_path: Path, changed: dict[str, object], says: str) -> None:
    """A run that was begun otherwise is refused by the option that differs, and left alone."""
    before = fill(record(tmp_path), [answer(each) for each in tasks(1)])
    with pytest.raises(EvaluationError, match=says):
        record(tmp_path, **changed).resume()
    assert (tmp_path / "run.jsonl").read_bytes() == before


def test_a_file_without_answers_binds_to_nothing(tmp_path: Path) -> None:
    """A run that failed before its first answer may be begun with other options."""
    record(tmp_path).resume()
    assert record(tmp_path, shots=3).resume() == []
    fill(record(tmp_path, shots=3), [answer(tasks(1)[0])])
    with pytest.raises(EvaluationError, match="shots = 3, not 0"):
        record(tmp_path).resume()


@pytest.mark.parametrize("head", [None, "", "{", "[]", '{"begun_with": 3}'])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, head: str | None) -> None:
    """A file that no run began is refused and not written to, whatever stands beside it."""
    file = tmp_path / "run.jsonl"
    file.write_text("my notes", encoding="utf-8")
    if head is not None:
        (tmp_path / "run.jsonl.run.json").write_text(head, encoding="utf-8")
    with pytest.raises(EvaluationError, match="choose another --out"):
        record(tmp_path).resume()
    assert file.read_text(encoding="utf-8") == "my notes"


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    """While a run holds the file another one is refused; afterwards it may."""
    with (
        record(tmp_path).held(),
        pytest.raises(EvaluationError, match="Another run"),
        record(tmp_path).held(),
    ):
        pass
    with record(tmp_path).held():
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A file that cannot be written is a sentence."""
    with pytest.raises(EvaluationError, match="cannot be written"):
        record(tmp_path / "missing").resume()
