"""The real engine and the starter weights, in a home of their own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from synconfroute.clients import engine
from synconfroute.clients.engine.folders import libraries_folder
from synconfroute.errors import EngineError


@pytest.fixture(scope="session")
def starter_weights() -> Path:
    """The starter model file, in the cache of the person who tests; pulled if it is missing."""
    try:
        return engine.pull()
    except EngineError as error:
        pytest.skip(f"the starter model is not here and cannot be fetched: {error}")


@pytest.fixture(scope="session")
def libraries(starter_weights: Path) -> Path:
    """What else the engine needed to be fetched on this machine: the folder may be empty."""
    return starter_weights.parents[1] / "libraries"


def settle(weights: Path, libraries: Path) -> None:
    """Give the present home the starter weights and the libraries."""
    if libraries.is_dir():
        shutil.copytree(libraries, libraries_folder(), dirs_exist_ok=True)
    engine.pull(str(weights))


@pytest.fixture
def engine_home(starter_weights: Path, libraries: Path, home: Path) -> Iterator[Path]:
    """A home with the starter weights and no engine; one that a test starts is ended."""
    settle(starter_weights, libraries)
    yield home
    engine.stop()


@pytest.fixture(scope="module")
def shared_engine(
    starter_weights: Path, libraries: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A home with the starter weights, and one engine for a module's tests: starting costs 2 s."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
            patch.setenv(name, str(folder))
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "OLLAMA_HOST"):
            patch.delenv(name, raising=False)
        settle(starter_weights, libraries)
        yield folder
        engine.stop()


@pytest.fixture
def bare_home(libraries: Path, home: Path) -> Iterator[Path]:
    """A home without weights; an engine that a test starts is ended."""
    if libraries.is_dir():
        shutil.copytree(libraries, libraries_folder(), dirs_exist_ok=True)
    yield home
    engine.stop()
