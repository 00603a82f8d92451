"""`.synconfrouteignore`: what a workspace, or a folder above it, keeps on this machine."""

import os
import sys
from pathlib import Path

import pytest

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.policy import Refused, may_leave
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.tree import Policy, Settings

_NAME = ".synconfrouteignore"
_OPEN = Settings(policy=Policy(rules=(Rule("allow"),)))


def _kept(file: Path) -> str:
    """Why a file stays here; "" if it may go."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    answer = may_leave(Hole("python", "", "", path=str(file)), _OPEN)
    return answer.sentence if isinstance(answer, Refused) else ""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A repository."""
    (tmp_path / "app" / ".git").mkdir(parents=True)
    return tmp_path / "app"


def test_what_it_names_stays_here_whatever_a_rule_allows(workspace: Path) -> None:
    """In the words of a `.gitignore`."""
    (workspace / _NAME).write_text("# ours\nlegal/\n*.sql\n!open.sql\n/top.py\n")
    assert _kept(workspace / "legal" / "a.py") == (
        f"{workspace / _NAME} says that this file stays on this machine."
    )
    assert _kept(workspace / "src" / "x.sql")
    assert _kept(workspace / "top.py")
    assert _kept(workspace / "src" / "open.sql") == ""
    assert _kept(workspace / "src" / "top.py") == ""


def test_any_folder_above_a_file_may_hold_one(workspace: Path) -> None:
    """Each speaks of what lies below it, also one above the workspace."""
    (workspace / "src").mkdir()
    (workspace / "src" / _NAME).write_text("/a.py\n")
    assert _kept(workspace / "src" / "a.py")
    assert _kept(workspace / "a.py") == ""
    (workspace.parent / _NAME).write_text("/app/b.py\n")
    assert _kept(workspace / "b.py")


def test_none_takes_back_what_another_one_says(workspace: Path) -> None:
    """A folder cannot loosen what stands above it."""
    (workspace / _NAME).write_text("*.py\n")
    (workspace / "src").mkdir()
    (workspace / "src" / _NAME).write_text("!*.py\n")
    assert _kept(workspace / "src" / "a.py")


def test_a_change_counts_at_once(workspace: Path) -> None:
    """Written, changed and removed: the next request knows."""
    file = workspace / "a.py"
    assert _kept(file) == ""
    (workspace / _NAME).write_text("a.py\n")
    assert _kept(file)
    (workspace / _NAME).write_text("b.py\n")
    assert _kept(file) == ""
    (workspace / _NAME).write_text("*\n")
    assert _kept(file)
    (workspace / _NAME).unlink()
    assert _kept(file) == ""


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b"a\0b", b"x" * 70_000, b"x\n" * 501],
    ids=["bytes", "nul", "long", "many"],
)
def test_one_that_cannot_be_read_keeps_everything_below_it(workspace: Path, content: bytes) -> None:
    """In one sentence; what does not lie below it may go."""
    (workspace / "src").mkdir()
    (workspace / "src" / _NAME).write_bytes(content)
    kept = _kept(workspace / "src" / "deep" / "a.py")
    assert "cannot be read" in kept
    assert kept.endswith("mend it.")
    assert _kept(workspace / "a.py") == ""


def test_a_folder_in_its_place_keeps_everything(workspace: Path) -> None:
    """What is no file says nothing that could be relied on."""
    (workspace / _NAME).mkdir()
    assert "cannot be read" in _kept(workspace / "a.py")


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and modes")
def test_a_pipe_in_its_place_does_not_hang(workspace: Path) -> None:
    """And keeps everything."""
    os.mkfifo(workspace / _NAME)
    assert "cannot be read" in _kept(workspace / "a.py")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
def test_a_link_out_of_the_workspace_is_not_read(workspace: Path) -> None:
    """Its target says nothing here, and what lies below stays."""
    outside = workspace.parent / "rules"
    outside.write_text("nothing\n")
    (workspace / "src").mkdir()
    os.symlink(outside, workspace / "src" / _NAME)
    assert "leads out of the workspace and is not read" in _kept(workspace / "src" / "a.py")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
def test_a_link_within_the_workspace_is_followed(workspace: Path) -> None:
    """As the file that it leads to, in the place of the link."""
    (workspace / "rules").write_text("/a.py\n")
    (workspace / "src").mkdir()
    os.symlink(workspace / "rules", workspace / "src" / _NAME)
    assert _kept(workspace / "src" / "a.py")
    assert _kept(workspace / "src" / "b.py") == ""
    assert _kept(workspace / "a.py") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
@pytest.mark.parametrize("target", ["missing", _NAME])
def test_a_link_that_leads_nowhere_keeps_everything(workspace: Path, target: str) -> None:
    """A dangling link, and one to itself."""
    os.symlink(workspace / target, workspace / _NAME)
    assert _kept(workspace / "a.py")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
def test_a_file_reached_by_a_link_is_judged_where_it_lies(workspace: Path) -> None:
    """A link into a folder does not take its files out of that folder's rules."""
    (workspace / "legal").mkdir()
    (workspace / "legal" / _NAME).write_text("*\n")
    (workspace / "legal" / "a.py").touch()
    os.symlink(workspace / "legal" / "a.py", workspace / "b.py")
    assert _kept(workspace / "b.py")


@pytest.mark.timeout(60)
def test_a_file_made_to_be_slow_is_answered(workspace: Path) -> None:
    """Patterns that take other readers minutes."""
    (workspace / _NAME).write_text("\n".join("*a*a*a*a*a*a*a*a*a*b" for _ in range(400)))
    assert _kept(workspace / ("a" * 200 + ".py")) == ""


def test_too_many_folders_are_not_looked_into(tmp_path: Path) -> None:
    """The cost of a decision has an end."""
    deep = tmp_path.joinpath(*["d"] * 70, "a.py")
    answer = may_leave(Hole("python", "", "", path=str(deep)), _OPEN)
    assert isinstance(answer, Refused)
    assert "too deep" in answer.sentence
