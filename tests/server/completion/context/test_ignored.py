"""What `.gitignore` leaves out: the rules of gitignore(5), with git itself as the judge."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.context.ignored import Ignored, rules


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("*.log", "a/b/x.log", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("build/", "build/a/x.py", True),
        ("build/", "src/build", False),
        ("/out", "out/x", True),
        ("/out", "a/out", False),
        ("a/*.py", "a/x.py", True),
        ("a/*.py", "a/b/x.py", False),
        ("a/**/x", "a/x", True),
        ("a/**/x", "a/b/c/x", True),
        ("a/**", "a/b", True),
        ("**/gen", "q/gen/x", True),
        ("# x\n\n   \n", "x", False),
        ("\\#x", "#x", True),
        ("\\!x", "!x", True),
        ("x[0-9]?", "x1y", True),
        ("dir/\n!dir/keep.py", "dir/keep.py", True),
        ("x   ", "x", True),
        ("*", "anything", True),
        ("**", "a/b", True),
        ("/", "a", False),
    ],
)
def test_rules_of_gitignore(lines: str, path: str, expected: bool) -> None:
    """One file's rules, each path given below it."""
    ignored = Ignored(lambda folder: "" if folder else lines)
    assert (tuple(path.split("/")) in ignored) is expected


def test_the_nearest_file_decides() -> None:
    """A folder's own `.gitignore` comes before those above it."""
    files = {(): "*.py\n", ("a",): "!x.py\n"}
    ignored = Ignored(lambda folder: files.get(folder, ""))
    assert ("x.py",) in ignored
    assert ("a", "x.py") not in ignored
    assert ("a", "y.py") in ignored


def test_rules_without_end_are_cut() -> None:
    """A file of a million rules costs no more than its first two thousand."""
    assert len(rules("x\n" for _ in range(1_000_000))) == 2_000


_SEGMENT = st.sampled_from(["a", "b", "*", "?", "a*", "*b", "**", "[ab]", "[!a]"])
_PATTERN = st.builds(
    lambda bang, slash, parts, end: bang + slash + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(_SEGMENT, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
_PATHS = ["a", "b", "ab", "a/a", "a/b", "b/a/b", "a/a/b", "b/b/a/ab"]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty repository of git."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(folder)], check=True, timeout=30)
    return folder


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(_PATTERN, min_size=1, max_size=4))
def test_git_says_the_same(repository: Path, patterns: list[str]) -> None:
    """Any few patterns leave out what `git check-ignore` says they do."""
    lines = "\n".join(patterns) + "\n"
    (repository / ".gitignore").write_text(lines, encoding="utf-8")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    said = subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "--no-index", "--stdin"],
        input="\n".join(_PATHS), capture_output=True, text=True, check=False, timeout=30,
        env=environment,
    ).stdout.split()  # fmt: skip
    ignored = Ignored(lambda folder: "" if folder else lines)
    assert [path for path in _PATHS if tuple(path.split("/")) in ignored] == said
