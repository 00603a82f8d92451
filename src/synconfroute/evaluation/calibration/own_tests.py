"""The repository's own tests as the judge of an answer, in a copy of the repository."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.lines import parses
from synconfroute.evaluation.calibration.repository import path_of
from synconfroute.evaluation.calibration.sources import tracked
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.execution.limits import MEBIBYTE, Limits
from synconfroute.evaluation.execution.process import Processes
from synconfroute.evaluation.execution.program import same
from synconfroute.evaluation.execution.walls import Walls, strongest

_FIRST_SECONDS = 600.0
"""The longest that the tests may take on the unchanged copy."""
_LEAST_SECONDS = 20.0
_SLOWER = 4
"""How many times as long as on the unchanged copy the tests may take."""
_MEMORY, _FILE, _DISK = 8192 * MEBIBYTE, 256 * MEBIBYTE, 1024 * MEBIBYTE
_HOMELESS = 'HOME="$(mktemp -d)" exec /bin/sh -c "$1"'
"""Many tools want a home; theirs is empty, and in the sandbox it ends with them."""


class OwnTests:
    """Runs the tests of a copy with an answer in its place. One at a time; use it with `with`.

    An answer that is the very line passes without a run. Any other passes if the tests do, and if
    they fail where nothing stands in its place: tests that do not notice that say nothing about
    it. Nor do they where the file is no code without the line, such as the head of a function.
    """

    def __init__(self, root: Path, command: str, *, walls: Walls | None = None) -> None:
        """Copy what git knows or would add, and run the tests once on the unchanged copy.

        Args:
            root: the repository; it is only read.
            command: a command line for the shell, to run in the copy.
            walls: what stands between the tests and the machine; by default the strongest here.

        Raises:
            EvaluationError: it cannot be copied, or the tests do not pass as it is.
        """
        self._root, self.command = root, command
        self._processes = Processes(walls or strongest())
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._copy = Path(self._folder.name).resolve() / "repository"
        self._seen: dict[tuple[str, str], bool] = {}
        self._limit = _FIRST_SECONDS
        self.runs = 0
        try:
            _copy(root, self._copy)
            started = time.monotonic()
            passed = self._pass()
        except OSError as error:
            self.close()
            raise EvaluationError(f"{root} cannot be copied: {error.strerror}.") from None
        self.seconds = time.monotonic() - started
        if not passed:
            self.close()
            raise EvaluationError(
                "The tests do not pass on an unchanged copy of the repository, so they can judge"
                " nothing: they see files that git knows or would add, the system's and those of"
                " PATH, and no network; --no-sandbox lets them see all that you can."
            )
        self._limit = max(_LEAST_SECONDS, _SLOWER * self.seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the copy."""
        self._folder.cleanup()

    def passes(self, pairs: Sequence[tuple[Task, str]]) -> list[bool]:
        """Whether each text passes as the answer to its task. Blocks."""
        return [self._passes(task, text) for task, text in pairs]

    def _passes(self, task: Task, text: str) -> bool:
        if same(text, task.truth):
            return True
        return self._with(task, text) and self._notice(task)

    def _notice(self, task: Task) -> bool:
        """Do the tests fail without the line, in a file that still parses?"""
        space = task.truth[: len(task.truth) - len(task.truth.lstrip())]
        for nothing in ("", f"{space}pass" if task.language == "python" else f"{space};"):
            if parses(task.language, f"{task.prefix}{nothing}{task.below}"):
                return not self._with(task, nothing)
        return False

    def _with(self, task: Task, text: str) -> bool:
        """Do the tests pass with the text in the hole?"""
        key = (task.id, text)
        if key not in self._seen:
            file = path_of(self._copy, task)
            before = file.read_bytes()
            try:
                file.write_text(f"{task.prefix}{text}{task.below}", encoding="utf-8", newline="\n")
                self._seen[key] = self._pass()
            finally:
                file.write_bytes(before)
        return self._seen[key]

    def _pass(self) -> bool:
        self.runs += 1
        wall = self._limit
        limits = Limits(cpu=4 * wall, wall=wall, memory=_MEMORY, file=_FILE, disk=_DISK)
        shell = ["/bin/sh", "-c", _HOMELESS, "sh", self.command]
        if sys.platform == "win32":
            shell = [os.environ.get("COMSPEC", "cmd.exe"), "/c", self.command]
        ended = self._processes.run(
            shell, self._copy, limits, readable=_tools(self._root), trusted=True
        )
        return ended.by == "itself" and ended.code == 0


def _copy(root: Path, copy: Path) -> None:
    names = tracked(root, "--others", "--exclude-standard")
    if names is None:
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".hg"))
        return
    for name in names:
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target, follow_symlinks=False)


def _tools(root: Path) -> list[Path]:
    """Where the programs of PATH lie with what belongs to them, but not the repository itself."""
    programs = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    real = [
        Path(os.path.realpath(found)) for found in map(shutil.which, ("python3", "node")) if found
    ]
    folders = [folder.parent for folder in programs] + [program.parent.parent for program in real]
    return [folder for folder in dict.fromkeys(folders) if not root.is_relative_to(folder)]
