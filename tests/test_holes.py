"""The ten holes themselves: what their authors wrote passes the checks, and less does not."""

import pytest

from benchmarks.holes import FOLDER, Task, ten_holes


@pytest.mark.parametrize("task", [pytest.param(task, id=task.name) for task in ten_holes()])
def test_the_checks_tell_right_from_wrong(task: Task) -> None:
    """The author's text is right; leaving the hole empty is not."""
    if not task.checkable:
        pytest.skip(f"{task.hole.language} programs cannot be run here: its compiler is missing")
    source = next(file for file in FOLDER.iterdir() if file.stem == task.name)
    text = source.read_text(encoding="utf-8")
    author = text[text.index("⟦") + 1 : text.index("⟧")]
    assert task.right(author)
    assert not task.right("")


def test_there_are_ten() -> None:
    """Six in Python, two in Java, two in C++."""
    languages = [task.hole.language for task in ten_holes()]
    assert sorted(languages) == ["cpp"] * 2 + ["java"] * 2 + ["python"] * 6
