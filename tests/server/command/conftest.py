"""The real command as a process, in an empty home."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.engine import conftest as engine_fixtures

engine_home = engine_fixtures.engine_home
libraries = engine_fixtures.libraries
starter_weights = engine_fixtures.starter_weights

SOURCES = Path(__file__).parents[3] / "src"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """Its one sentence on stderr: fails where there is not exactly one, or a traceback."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert "Traceback" not in self.err
        return lines[0]


Run = Callable[..., Done]


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Run:
    """Run `synconfroute` with these arguments, in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()

    def runner(
        *arguments: str | Path,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = ("-m", "synconfroute"),
        timeout: float = 120,
    ) -> Done:
        done = subprocess.run(
            [sys.executable, *program, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            timeout=timeout,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(SOURCES), **(env or {})},
            check=False,
        )
        out, err = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
        return Done(done.returncode, out, err)

    assert home.is_dir()
    return runner
