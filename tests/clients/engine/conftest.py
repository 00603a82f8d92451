"""The real engine and the starter weights, in a home of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from synconfroute.clients import engine
from synconfroute.clients.engine.openmp import openmp_environment
from synconfroute.errors import EngineError


@pytest.fixture(scope="session")
def starter_weights() -> Iterator[Path]:
    """The starter model file, in the cache of the person who tests; pulled if it is missing.

    With it comes what the engine needs on a bare machine; homes of tests have no cache for that.
    """
    try:
        file = engine.pull()
    except EngineError as error:
        pytest.skip(f"the starter model is not here and cannot be fetched: {error}")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in openmp_environment().items():
            patch.setenv(name, value)
        yield file


@pytest.fixture
def engine_home(starter_weights: Path, home: Path) -> Iterator[Path]:
    """A home with the starter weights and no engine; one that a test starts is ended."""
    engine.pull(str(starter_weights))
    yield home
    engine.stop()


@pytest.fixture(scope="module")
def shared_engine(
    starter_weights: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A home with the starter weights, and one engine for a module's tests: starting costs 2 s."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
            patch.setenv(name, str(folder))
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.delenv(name, raising=False)
        engine.pull(str(starter_weights))
        yield folder
        engine.stop()


@pytest.fixture
def bare_home(home: Path) -> Iterator[Path]:
    """A home without weights; an engine that a test starts is ended."""
    yield home
    engine.stop()
