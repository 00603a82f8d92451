"""The real command as a process, in an empty home, with a benchmark of a few tasks."""

from pathlib import Path

import pytest

from tests.evaluation.generation.functions import write_benchmark
from tests.server.command import conftest as command_fixtures

run = command_fixtures.run
COUNT = 40


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with `COUNT` tasks of one line."""
    folder = tmp_path / "data"
    write_benchmark(folder, COUNT)
    return folder
