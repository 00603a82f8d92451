"""Where things live on this platform."""

import os
import sys
from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("synconfroute", appauthor=False)
_REPOSITORIES = (".git", ".hg", ".svn", ".jj")


def organisation_settings_file() -> Path:
    """The organisation's settings (TOML), in a folder that only administrators may write.

    No variable of the environment names it: a user could lead the server past it.
    """
    if sys.platform == "win32":
        return _program_files() / "SynConfRoute" / "settings.toml"
    if sys.platform == "darwin":
        return Path("/Library/Application Support/synconfroute/settings.toml")
    return Path("/etc/synconfroute/settings.toml")


def user_settings_file() -> Path:
    """The user's settings (TOML)."""
    return _DIRS.user_config_path / "settings.toml"


def workspace_settings_file(root: Path) -> Path:
    """Settings that travel with a workspace (TOML); they may only tighten and set limits."""
    return root / ".synconfroute.toml"


def workspace_above(folder: Path) -> Path | None:
    """The nearest folder, from `folder` upwards, that holds a workspace's settings file."""
    for root in (folder, *folder.parents):
        if os.path.lexists(workspace_settings_file(root)):
            return root
    return None


def repository_above(folder: Path) -> Path | None:
    """The nearest folder, from `folder` upwards, that a version control system keeps."""
    for root in (folder, *folder.parents):
        if any(os.path.lexists(root / mark) for mark in _REPOSITORIES):
            return root
    return None


def ledger_folder() -> Path:
    """The ledger: one file per server process."""
    return _DIRS.user_state_path / "ledger"


def counts_folder() -> Path:
    """How often what happened to completions: one file a day (JSON)."""
    return _DIRS.user_state_path / "counts"


def results_folder() -> Path:
    """What programs of benchmarks came to; all of it may be deleted."""
    return _DIRS.user_cache_path / "results"


def prepared_folder() -> Path:
    """What compilers of benchmarks need not read again; all of it may be deleted."""
    return _DIRS.user_cache_path / "prepared"


def embedding_folder() -> Path:
    """The embedding model of the evaluation and what it made of texts; all may be deleted."""
    return _DIRS.user_cache_path / "embedding"


if sys.platform == "win32":

    def _program_files() -> Path:
        """Where programs are installed. ProgramData would not do: any user may add files there."""
        import winreg

        with winreg.OpenKey(
            winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Windows\CurrentVersion"
        ) as key:
            return Path(winreg.QueryValueEx(key, "ProgramFilesDir")[0])
