"""The cache of model files: which are here, which one a name means, and whether one is sound."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from synconfroute.clients.engine.catalogue import KNOWN, STARTER, known_model
from synconfroute.clients.engine.folders import models_folder
from synconfroute.clients.engine.gguf import check_magic
from synconfroute.errors import EngineError, UsageError, WeightsDamaged, WeightsMissing


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model file in the cache.

    Attributes:
        name: its known name, or the file's name without its ending.
        path: where it lies.
        megabytes: its size, in 10^6 bytes.
        sha256: what it was when it was put here.
        source: where it came from.
        pulled: when, in seconds since 1970.
    """

    name: str
    path: Path
    megabytes: float
    sha256: str
    source: str
    pulled: float


@dataclass(frozen=True, slots=True)
class _Record:
    """What is written beside a model file: how it was when it was last found sound."""

    sha256: str
    size: int
    mtime_ns: int
    source: str
    pulled: float


def list_models() -> tuple[InstalledModel, ...]:
    """The model files in the cache, best first: the last one pulled, the starter at the end."""
    found = []
    for path in models_folder().glob("*.gguf"):
        record = _read_record(path)
        if record is not None:
            found.append(
                InstalledModel(
                    name=name_of(path),
                    path=path,
                    megabytes=record.size / 1e6,
                    sha256=record.sha256,
                    source=record.source,
                    pulled=record.pulled,
                )
            )
    return tuple(sorted(found, key=lambda model: (model.name == STARTER.name, -model.pulled)))


def name_of(path: Path) -> str:
    """What a user calls the model in that file."""
    return next((model.name for model in KNOWN if model.file == path.name), path.stem)


def resolve(model: str) -> Path:
    """The file that a model's name means.

    Args:
        model: a known name, the name of a file in the cache, the path of a .gguf file anywhere,
            or "" for the best that is here.

    Raises:
        WeightsMissing: it is not on this machine.
        UsageError: nothing is known by that name.
    """
    installed = list_models()
    if not model:
        if not installed:
            raise WeightsMissing(
                "There is no model file on this machine yet; run: synconfroute engine pull"
            )
        return installed[0].path
    known = known_model(model)
    wanted = known.name if known else model
    for candidate in installed:
        if wanted in {candidate.name, candidate.path.name, candidate.path.stem}:
            return candidate.path
    if known:
        raise WeightsMissing(
            f"The model {known.name} ({known.megabytes} MB) is not on this machine yet; run:"
            f" synconfroute engine pull {known.name}"
        )
    return _outside_file(model)


def _outside_file(model: str) -> Path:
    path = Path(model).expanduser()
    if path.is_file():
        return path.resolve()
    if path.suffix == ".gguf":
        raise WeightsMissing(f"There is no model file {model}.")
    names = ", ".join(known.name for known in KNOWN)
    raise UsageError(
        f"The embedded engine knows no model {model}: name a .gguf file, or one of {names}."
    )


def check(path: Path) -> None:
    """Make sure that a model file is sound.

    A file of the cache is hashed again only when its size or time differs from what was noted
    when it was last found sound: hashing gigabytes at each start would be felt.

    Raises:
        WeightsDamaged: it is not.
    """
    check_magic(path)
    record = _read_record(path)
    if record is None:
        return
    status = path.stat()
    if (status.st_size, status.st_mtime_ns) == (record.size, record.mtime_ns):
        return
    if status.st_size != record.size or sha256_of(path) != record.sha256:
        raise WeightsDamaged(
            f"The model file {path.name} has changed since it was pulled; run:"
            f" synconfroute engine pull {record.source}"
        )
    _write_record(path, record.sha256, record.source, record.pulled)


def sound(path: Path, sha256: str | None) -> bool:
    """True if the file is in the cache and every byte of it is what was pulled.

    Args:
        path: a file of the cache.
        sha256: what it must be; None: what it was when it was pulled.
    """
    record = _read_record(path)
    if record is None or not path.is_file():
        return False
    return sha256_of(path) == (sha256 or record.sha256)


def keep(temporary: Path, file: str, sha256: str, source: str, pulled: float) -> Path:
    """Move a verified file into the cache under its name, in one step.

    Args:
        temporary: the file, on the cache's own disk.
        file: its name in the cache.
        sha256: its checksum.
        source: what to give to `pull` to have it again.
        pulled: now, in seconds since 1970.

    Raises:
        EngineError: the old file of that name is in use.
    """
    path = models_folder() / file
    try:
        temporary.replace(path)
    except PermissionError as error:  # Windows: the engine has it open
        raise EngineError(
            f"{path.name} is in use and cannot be replaced; run: synconfroute engine stop"
        ) from error
    _write_record(path, sha256, source, pulled)
    return path


def delete(model: InstalledModel) -> None:
    """Remove a model file from the cache.

    Raises:
        EngineError: it is in use.
    """
    try:
        model.path.unlink(missing_ok=True)
    except PermissionError as error:
        raise EngineError(
            f"{model.path.name} is in use and cannot be removed; run: synconfroute engine stop"
        ) from error
    _record_path(model.path).unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """The checksum of a file, in lower-case hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _record_path(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _read_record(path: Path) -> _Record | None:
    if path.parent != models_folder():
        return None
    try:
        return _Record(**json.loads(_record_path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or not ours
        return None


def _write_record(path: Path, sha256: str, source: str, pulled: float) -> None:
    status = path.stat()
    record = _Record(sha256, status.st_size, status.st_mtime_ns, source, pulled)
    temporary = path.with_name(f"{path.name}.json.{os.getpid()}")
    temporary.write_text(json.dumps(asdict(record)), encoding="utf-8")
    temporary.replace(_record_path(path))
