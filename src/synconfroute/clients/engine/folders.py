"""Where model files and the engine's state live on this platform."""

from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("synconfroute", appauthor=False)


def models_folder() -> Path:
    """The folder of the model files, in the user's cache; made if missing."""
    folder = _DIRS.user_cache_path / "models"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def engine_folder() -> Path:
    """The folder of the engine's state, locks and log; made if missing, open to its user only."""
    folder = _DIRS.user_state_path / "engine"
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder
