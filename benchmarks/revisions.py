"""Another revision of the package, from git."""

import io
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.running import ROOT


class NoRevision(Exception):
    """There is no such revision, or no git."""


@contextmanager
def package_of(revision: str) -> Iterator[Path]:
    """Unpack the package as it is in a revision; the folder to import it from.

    It runs with the packages that are installed here.

    Raises:
        NoRevision: git does not know it.
    """
    command = ["git", "archive", "--format=zip", revision, "src"]
    try:
        archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except FileNotFoundError as missing:
        raise NoRevision("git is not installed: --compare needs it.") from missing
    except subprocess.CalledProcessError as failed:
        raise NoRevision(
            f"git has no revision {revision!r} with the package in this clone: name a commit, a tag"
            " or a branch."
        ) from failed
    with TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            members.extractall(folder)
        yield Path(folder) / "src"
