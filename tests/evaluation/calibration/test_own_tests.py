"""The repository's own tests as the judge: in a copy, and only where they say something."""

import os
import sys
from pathlib import Path

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.own_tests import OwnTests
from synconfroute.evaluation.calibration.repository import mine
from synconfroute.evaluation.datasets.task import Task

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")

SHOP = """def total(prices):
    amount = sum(prices)
    return amount


def untested(prices):
    return min(prices)
"""
COMMAND = "python3 -S -c 'import shop; assert shop.total([1, 2]) == 3'"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with a module."""
    root = tmp_path / "repository"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    return root


def task_of(root: Path, truth: str) -> Task:
    """The hole whose line is this."""
    (found,) = [task for task in mine(root, sample=99) if task.truth.strip() == truth]
    return found


def test_tests_judge_where_they_notice(repository: Path) -> None:
    """Another right line passes, a wrong one fails, the very line needs no run."""
    task = task_of(repository, "amount = sum(prices)")
    with OwnTests(repository, COMMAND) as own:
        assert own.runs == 1
        assert own.passes([(task, "    amount = sum( prices )")]) == [True]
        assert own.runs == 1
        right, wrong = "    amount = prices[0] + prices[1]", "    amount = max(prices)"
        assert own.passes([(task, right), (task, wrong), (task, right)]) == [True, False, True]
        assert own.runs == 4


def test_tests_that_notice_nothing_say_nothing(repository: Path) -> None:
    """A line that no test reaches, or that the file cannot do without, must be the very line."""
    untested = task_of(repository, "return min(prices)")
    head = task_of(repository, "def untested(prices):")
    with OwnTests(repository, COMMAND) as own:
        assert own.passes([(untested, "    return 7"), (untested, untested.truth)]) == [False, True]
        assert own.passes([(head, "def other(prices):"), (head, head.truth)]) == [False, True]


def test_the_users_tree_is_never_written(repository: Path) -> None:
    """Not by us and not by the tests: they run in a copy, which is gone afterwards."""
    command = f"{COMMAND} && echo broken > shop.py.bak && pwd > where"
    before = {file: file.stat().st_mtime_ns for file in repository.iterdir()}
    task = task_of(repository, "amount = sum(prices)")
    with OwnTests(repository, command) as own:
        own.passes([(task, "    amount = 0")])
        copy = own._copy
        assert copy.is_dir()
        assert (copy / "shop.py").read_text() == SHOP
    assert not copy.exists()
    assert {file: file.stat().st_mtime_ns for file in repository.iterdir()} == before


def test_tests_that_fail_as_it_is_are_refused(repository: Path) -> None:
    """They could judge nothing; the sentence says what they see."""
    with pytest.raises(EvaluationError, match="unchanged copy"):
        OwnTests(repository, "false")


def test_tests_that_hang_are_ended(repository: Path) -> None:
    """A wrong line may loop for ever: it is no right one."""
    task = task_of(repository, "amount = sum(prices)")
    with OwnTests(repository, COMMAND) as own:
        own._limit = 1.0
        assert own.passes([(task, "    while True: pass")]) == [False]


def test_nothing_of_the_users_environment_is_seen(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys in variables stay here, and the home is an empty one."""
    monkeypatch.setenv("SECRET_KEY", "very secret")
    home = os.path.expanduser("~")
    check = f'test -z "$SECRET_KEY" && test "$HOME" != "{home}" && test -d "$HOME"'
    with OwnTests(repository, check) as own:
        assert own.runs == 1
