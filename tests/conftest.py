"""What all tests share: the data folder, and isolated homes."""

import os
import signal
from pathlib import Path

import hypothesis
import pytest


def pytest_configure() -> None:
    """Ctrl-C reaches the programs under test, even where the tests run as a background job.

    No example is held to a time: how busy the machine is is no property of the code.
    """
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The benchmark data, named by SYNCONFROUTE_DATA; the test is skipped without it."""
    named = os.environ.get("SYNCONFROUTE_DATA", "")
    if not named:
        pytest.skip("SYNCONFROUTE_DATA does not name the benchmark data folder")
    folder = Path(named).resolve()
    if not folder.is_dir():
        pytest.fail(f"SYNCONFROUTE_DATA names {named}, which is not a folder")
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home: no settings, no ledger, no engine, no weights of the person who tests."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith(("SYNCONFROUTE_", "XDG_"))]:
        if name not in {"SYNCONFROUTE_DATA", "SYNCONFROUTE_REQUIRE"}:
            monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    return folder


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With SYNCONFROUTE_REQUIRE=all a skipped test is a failure."""
    if os.environ.get("SYNCONFROUTE_REQUIRE") != "all":
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
