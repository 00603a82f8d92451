"""Benchmarks run in processes of their own, of this clone's package or another's."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import running
from benchmarks.figure import Figure, Skipped, figure
from benchmarks.model.script import SUM
from benchmarks.processes import scripted_model, session
from benchmarks.revisions import NoRevision, package_of
from benchmarks.running import joined, rows_of

ROOT = Path(__file__).parents[2]


def test_rows_come_from_a_process_of_their_own() -> None:
    """Figures with their promises, as the benchmark gives them."""
    rows = rows_of("cancel", quick=True)
    figures = [row for row in rows if isinstance(row, Figure)]
    assert [row.case for row in figures] == ["Ollama", "vLLM"]
    assert all(row.runs == 10 and row.holds for row in figures)


def test_a_benchmark_that_fails_is_a_row_that_says_so(tmp_path: Path) -> None:
    """Here for want of a package that can be imported; the run itself goes on."""
    (tmp_path / "synconfroute").mkdir()
    (tmp_path / "synconfroute" / "__init__.py").write_text("raise RuntimeError('broken here')\n")
    (row,) = rows_of("keystroke", quick=True, package=tmp_path)
    assert isinstance(row, Skipped)
    assert row.failed
    assert row.reason == "RuntimeError: broken here"


def test_another_package_is_measured_in_turn_with_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours, the other, the other, ours; all samples count."""
    asked = []

    def rows(name: str, *, quick: bool, package: Path | None = None) -> list[Figure]:
        asked.append(package)
        return [figure(name, "", "ms", [float(len(asked))])]

    monkeypatch.setattr(running, "rows_of", rows)
    here, there = running.in_turns("start", quick=True, other=tmp_path)
    assert asked == [None, tmp_path, tmp_path, None]
    assert [row.samples for row in here + there if isinstance(row, Figure)] == [
        (1.0, 4.0),
        (2.0, 3.0),
    ]


def test_a_row_of_one_turn_only_is_kept() -> None:
    """And what failed once stands beside what was measured the other time."""
    only, failed = figure("a", "", "ms", [1.0]), Skipped("b", "", "fell", failed=True)
    assert joined([only], [failed]) == [only, failed]


def test_a_revision_that_git_does_not_know_is_one_sentence() -> None:
    """No traceback of a program that failed."""
    with (
        pytest.raises(NoRevision, match="no revision 'no-such-revision'"),
        package_of("no-such-revision"),
    ):
        pass


def test_the_package_of_a_revision_is_the_one_that_git_has() -> None:
    """Its text is that of the commit, whatever stands in the working tree."""
    try:
        command = ["git", "show", "HEAD:src/synconfroute/errors.py"]
        wanted = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no clone of git's")
    with package_of("HEAD") as folder:
        assert (folder / "synconfroute" / "errors.py").read_bytes() == wanted


def test_a_wrong_revision_ends_the_command_with_its_sentence() -> None:
    """Exit code 2, and nothing measured."""
    command = [sys.executable, "-m", "benchmarks", "--compare", "no-such-revision"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "name a commit" in done.stderr


def test_the_command_writes_table_page_and_document(tmp_path: Path) -> None:
    """And says by its exit code whether all promises are kept."""
    page, document = tmp_path / "page.html", tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", "cancel"]
    command += ["--page", str(page), "--json", str(document)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    figures = json.loads(document.read_text())["figures"]
    assert [row["benchmark"] for row in figures] == ["cancel", "cancel"]
    assert done.returncode == (0 if all(row["kept"] for row in figures) else 1)
    assert "cancel to closed stream" in done.stdout
    assert "<svg" in page.read_text()


def test_a_session_completes_what_the_scripted_model_writes() -> None:
    """Server and model are real processes here; each tells what it did."""
    from benchmarks import local_tier
    from benchmarks.editing import Opened

    for shape in local_tier.SHAPES:
        with (
            scripted_model(local_tier.module(shape), first_ms=1, next_ms=1) as model,
            session(*local_tier.settings(shape, model)) as editor,
        ):
            editor.initialize()
            document = Opened(editor, "def f(alpha, beta):\n    \n")
            document.go(1, 4)
            (item,) = document.complete()
            assert item["insertText"] == "".join(token.text for token in SUM.tokens)
            assert model.generation().tokens == len(SUM.tokens)
            assert document.provenance()["verdict"] == "valid"
