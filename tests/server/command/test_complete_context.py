"""`synconfroute complete` with pieces of other files, to be tried from a terminal."""

import json
from pathlib import Path

import pytest

from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

ON = ("--set", "context.enabled=true")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a hole at 2:17, below a folder that may become a repository's."""
    folder = tmp_path / "repository" / "src"
    folder.mkdir(parents=True)
    (folder / "lib.py").write_text("def convert(amount: int) -> int:\n    return amount\n")
    (folder / "app.py").write_text("from lib import convert\nresult = convert(\n")
    return folder / "app.py"


def _asked(run: Run, file: Path, *more: str) -> tuple[str, int]:
    with serving(ModelServer(text="1)\n")) as server:
        env = {"SYNCONFROUTE_LOCAL_PROVIDER": "openai", "SYNCONFROUTE_LOCAL_URL": server.url}
        done = run("complete", file, "--at", "2:18", "--json", *more, env=env)
        assert done.code == 0, done.err
        return server.bodies[-1]["prompt"], json.loads(done.out)["context_files"]


def test_imports_are_looked_for_in_the_repository(run: Run, file: Path) -> None:
    """The nearest folder that a version control system keeps."""
    (file.parent.parent / ".git").mkdir()
    prompt, files = _asked(run, file, *ON)
    assert "def convert(amount: int) -> int: ..." in prompt
    assert files == 1


def test_without_a_repository_nothing_is_looked_for(run: Run, file: Path) -> None:
    """Who knows what lies above a lone file."""
    prompt, files = _asked(run, file, *ON)
    assert "amount" not in prompt
    assert files == 0


def test_where_it_is_off_nothing_is_looked_for(run: Run, file: Path) -> None:
    """As the user's settings say."""
    (file.parent.parent / ".git").mkdir()
    prompt, files = _asked(run, file, "--set", "context.enabled=false")
    assert "amount" not in prompt
    assert files == 0
