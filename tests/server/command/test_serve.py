"""`synconfroute serve` reads its settings from every source and answers through the real parts."""

from pathlib import Path

import pytest

from tests.e2e.editor import SERVE, editor, environment
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

_SOURCE = "def add(a, b):\n    return \n"


def _options(server: ModelServer) -> dict[str, object]:
    return {"local": {"provider": "openai", "url": server.url}}


@pytest.mark.usefixtures("home")
async def test_an_editor_gets_a_completion_and_one_word_about_its_settings(tmp_path: Path) -> None:
    """The editor's options choose the server; a wrong key is shown once; the log holds no code."""
    log = tmp_path / "log" / "server.log"
    command = (*SERVE, "--log-file", str(log), "--log-level", "debug")
    with serving(ModelServer()) as server:
        options = {**_options(server), "router": {"treshold": 1}}
        async with editor(command, environment(), options=options) as session:
            session.open("file:///w/app.py", _SOURCE)
            assert await session.text("file:///w/app.py", 1, 11) == "a + b"
            (shown,) = session.shown
    assert "did you mean router.threshold?" in shown
    written = log.read_text("utf-8")
    assert written
    assert "def add" not in written
    assert "a + b" not in written


@pytest.mark.usefixtures("home")
async def test_the_workspace_that_the_editor_has_open_counts(tmp_path: Path) -> None:
    """Its settings file keeps doubtful answers here, whatever the editor says."""
    (tmp_path / ".synconfroute.toml").write_text("escalation.enabled = false")
    local, org = ModelServer(text="b\n", logprob=-3.0), ModelServer()
    with serving(local), serving(org):
        options = _options(local) | {"org": {"url": org.url}, "escalation": {"enabled": True}}
        async with editor(SERVE, environment(), options=options, root=tmp_path) as session:
            uri = (tmp_path / "app.py").as_uri()
            session.open(uri, _SOURCE)
            assert await session.text(uri, 1, 11) == "b"
    assert org.asked == []


def test_an_editor_that_is_gone_ends_it(run: Run) -> None:
    """Closed stdin ends the server with exit code 1, stdout empty."""
    done = run("serve", "--stdio", timeout=30)
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err
