"""Where model files and the engine's state live on this platform."""

from pathlib import Path

from platformdirs import PlatformDirs

from synconfroute.errors import EngineError

_DIRS = PlatformDirs("synconfroute", appauthor=False)


def models_folder() -> Path:
    """The folder of the model files, in the user's cache; made if missing.

    Raises:
        EngineError: it cannot be made.
    """
    return _made(_DIRS.user_cache_path / "models")


def libraries_folder() -> Path:
    """The folder of libraries fetched for the engine, in the user's cache; made if missing.

    Raises:
        EngineError: it cannot be made.
    """
    return _made(_DIRS.user_cache_path / "libraries")


def engine_folder() -> Path:
    """The folder of the engine's state, locks and log; made if missing, open to its user only.

    Raises:
        EngineError: it cannot be made.
    """
    return _made(_DIRS.user_state_path / "engine", mode=0o700)


def _made(folder: Path, mode: int | None = None) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if mode is not None:
            folder.chmod(mode)
    except OSError as error:
        raise EngineError(f"The folder {folder} cannot be used: {error.strerror}.") from error
    return folder
