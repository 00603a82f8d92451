"""Where things live on this platform."""

from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("synconfroute", appauthor=False)


def user_settings_file() -> Path:
    """The user's settings (TOML)."""
    return _DIRS.user_config_path / "settings.toml"


def workspace_settings_file(root: Path) -> Path:
    """Settings that travel with a workspace (TOML); they may only tighten and set limits."""
    return root / ".synconfroute.toml"


def ledger_folder() -> Path:
    """The ledger: one file per server process."""
    return _DIRS.user_state_path / "ledger"
