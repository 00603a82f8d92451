"""What a GGUF file says about its model, read from its first megabytes.

Format: docs/gguf.md of ggml. Header, key-value pairs, tensor list, tensors; little-endian.
"""

import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synconfroute.errors import WeightsDamaged

_MAGIC = b"GGUF"
_HEADER = struct.Struct("<4sIQQ")
_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9
# A vocabulary of 256,000 tokens with its merges stays below this.
_METADATA_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class GgufFacts:
    """What the file says about its model.

    Attributes:
        architecture: such as "llama" or "qwen2"; "" where it does not say.
        name: the model's own name, or "".
        context_tokens: the context it was trained for, or None.
    """

    architecture: str
    name: str
    context_tokens: int | None


def check_magic(path: Path) -> None:
    """Make sure that the file is a GGUF file.

    Raises:
        WeightsDamaged: it is not, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_HEADER.size)
    except OSError as error:
        raise WeightsDamaged(f"{path} cannot be read: {error.strerror}.") from error
    if len(start) < _HEADER.size or not start.startswith(_MAGIC):
        raise WeightsDamaged(f"{path} is not a GGUF model file.")


def read_facts(path: Path) -> GgufFacts:
    """Read what the file says about its model.

    Raises:
        WeightsDamaged: it is not a GGUF file, or its start makes no sense.
    """
    check_magic(path)
    with path.open("rb") as file:
        start = file.read(1024 * 1024)
    try:
        values = _scalars_before_vocabulary(start)
    except (KeyError, UnicodeDecodeError) as error:
        raise WeightsDamaged(f"{path} is damaged: its metadata cannot be read.") from error
    architecture = str(values.get("general.architecture", ""))
    context = values.get(f"{architecture}.context_length")
    return GgufFacts(
        architecture=architecture,
        name=str(values.get("general.name", "")),
        context_tokens=int(context) if isinstance(context, int) else None,
    )


def vocabulary(path: Path) -> Callable[[str], bool]:
    """A test of whether a text is one token of the file's vocabulary.

    A GGUF string is its length in 8 bytes and then its bytes, so one search for both finds it.

    Raises:
        WeightsDamaged: the file is not a GGUF file.
    """
    check_magic(path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        start = view[:_METADATA_BYTES]

    def holds(token: str) -> bool:
        encoded = token.encode()
        return struct.pack("<Q", len(encoded)) + encoded in start

    return holds


def _scalars_before_vocabulary(data: bytes) -> dict[str, Any]:
    """Every pair that comes before the vocabulary, without the arrays."""
    _, _, _, pairs = _HEADER.unpack_from(data)
    values: dict[str, Any] = {}
    at = _HEADER.size
    try:
        for _ in range(pairs):
            key, at = _text(data, at)
            if key == "tokenizer.ggml.tokens":
                break
            (kind,) = struct.unpack_from("<I", data, at)
            value, at = _value(data, at + 4, kind)
            if kind != _ARRAY:
                values[key] = value
    except struct.error:  # the data ends here; what comes later is not needed
        pass
    return values


def _text(data: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<Q", data, at)
    end = at + 8 + length
    if end > len(data):
        raise struct.error("a text ends behind the data")
    return data[at + 8 : end].decode(), end


def _value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == _STRING:
        return _text(data, at)
    if kind == _ARRAY:
        inner, count = struct.unpack_from("<IQ", data, at)
        at += 12
        for _ in range(count):
            _, at = _value(data, at, inner)
        return None, at
    form = struct.Struct("<" + _SCALARS[kind])
    return form.unpack_from(data, at)[0], at + form.size
