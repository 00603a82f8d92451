"""The vectors of holes, kept in the user's cache: a replay need not make them again."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.evaluation.routing.embedding.bert import Bert
from synconfroute.evaluation.routing.embedding.safetensors import read_floats
from synconfroute.evaluation.routing.embedding.weights import files
from synconfroute.evaluation.routing.example import Sight
from synconfroute.server.places import embedding_folder

if TYPE_CHECKING:
    import numpy as np

_FORMAT = b"all-MiniLM-L6-v2, 1\n"
"""Changes when the same text comes to another vector."""

_PIECES = 126
"""Word pieces of a text: the model was trained on 128, two of which mark its ends."""

_CHARACTERS = 4000
"""On either side of the hole, more than the pieces that are left of them."""

_HEADS = 12
_BATCH = 16

Hole = tuple[str, str]
"""Prefix and suffix."""

Progress = Callable[[Sequence[Future[None]], str], Iterable[Future[None]]]
"""Goes through batches and shows how far it is, given what they are."""


def vectors(sights: Sequence[Sight], show: Progress) -> "dict[str, np.ndarray]":
    """The vector of the text around each hole, by task.

    What is embedded is our reading: the prefix's last and the suffix's first word pieces, as many
    as the model takes, half of them each where both are long. The answer is no part of it.

    Args:
        sights: the holes.
        show: shows how far it is with those that are not in the cache.

    Raises:
        EvaluationError: the model is not here and cannot be had.
    """
    found = vectors_around([(sight.prefix, sight.suffix) for sight in sights], show)
    return {sight.task_id: vector for sight, vector in zip(sights, found, strict=True)}


def vectors_around(
    holes: Sequence[Hole], show: Progress = lambda batches, _: batches
) -> "list[np.ndarray]":
    """The same of holes that are given by prefix and suffix, in their order."""
    kept = {hole: _kept(hole) for hole in holes}
    missing = [hole for hole, vector in kept.items() if vector is None]
    if missing:
        kept |= _made(missing, show)
    return [vector for hole in holes if (vector := kept[hole]) is not None]


def around(prefix: Sequence[int], suffix: Sequence[int]) -> list[int]:
    """The word pieces nearest to a hole: half from each side, more where the other has less."""
    before = min(len(prefix), max(_PIECES // 2, _PIECES - len(suffix)))
    return [*prefix[len(prefix) - before :], *suffix[: _PIECES - before]]


def _made(holes: Sequence[Hole], show: Progress) -> "dict[Hole, np.ndarray]":
    """The vectors, put into the cache as they come."""
    from threadpoolctl import threadpool_limits

    model = files()
    texts = _texts(holes, model.tokenizer)
    bert = Bert(read_floats(model.model), _HEADS)
    made: dict[Hole, np.ndarray] = {}
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]

    def embed(batch: list[int]) -> None:
        vectors = bert.embed([texts[index] for index in batch])
        for index, vector in zip(batch, vectors, strict=True):
            made[holes[index]] = vector
            _keep(holes[index], vector)

    # One thread a batch: threads that share the matrices of one wait for each other.
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in show([pool.submit(embed, batch) for batch in batches], "batch"):
            done.result()
    return made


def _texts(holes: Sequence[Hole], file: Path) -> list[list[int]]:
    """The word pieces of each hole, between the marks that the model expects."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def pieces(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    begin, end = tokenizer.encode("").ids
    near = (
        around(pieces(prefix[-_CHARACTERS:]), pieces(suffix[:_CHARACTERS]))
        for prefix, suffix in holes
    )
    return [[begin, *found, end] for found in near]


def _file(hole: Hole) -> Path:
    prefix, suffix = hole
    text = "\0".join((prefix[-_CHARACTERS:], suffix[:_CHARACTERS]))
    key = hashlib.sha256(_FORMAT + text.encode("utf-8", "surrogatepass")).hexdigest()
    return embedding_folder() / "vectors" / key[:2] / f"{key[2:]}.f4"


def _kept(hole: Hole) -> "np.ndarray | None":
    import numpy as np

    try:
        vector = np.fromfile(_file(hole), "<f4")
    except OSError:
        return None
    with np.errstate(all="ignore"):  # a damaged file may hold any numbers
        length = float(np.linalg.norm(vector))
    return vector if abs(length - 1.0) < 1e-3 else None


def _keep(hole: Hole, vector: "np.ndarray") -> None:
    """Another process may keep the same one meanwhile; a cache that cannot be written is none."""
    file = _file(hole)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with open(handle, "wb") as written:
            written.write(vector.astype("<f4").tobytes())
        os.replace(name, file)
