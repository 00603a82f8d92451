"""What a GGUF file says about its model."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.engine.gguf import check_magic, read_facts, vocabulary
from synconfroute.errors import WeightsDamaged


def text(value: str) -> bytes:
    """A GGUF string."""
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def pair(key: str, kind: int, value: bytes) -> bytes:
    """A GGUF key-value pair."""
    return text(key) + struct.pack("<I", kind) + value


def gguf(*pairs: bytes) -> bytes:
    """A GGUF file without tensors."""
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(pairs)) + b"".join(pairs)


SMALL = gguf(
    pair("general.architecture", 8, text("qwen2")),
    pair("general.tags", 9, struct.pack("<IQ", 8, 2) + text("code") + text("chat")),
    pair("general.name", 8, text("Small Coder")),
    pair("qwen2.context_length", 4, struct.pack("<I", 32768)),
    pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + text("<|fim_prefix|>") + text("a")),
)


def test_facts_are_read_past_arrays(tmp_path: Path) -> None:
    """Architecture, name and context are found, arrays between them are stepped over."""
    file = tmp_path / "small.gguf"
    file.write_bytes(SMALL)
    facts = read_facts(file)
    assert (facts.architecture, facts.name, facts.context_tokens) == (
        "qwen2",
        "Small Coder",
        32768,
    )


def test_a_token_counts_only_as_a_whole(tmp_path: Path) -> None:
    """A text inside another string of the file is not a token."""
    file = tmp_path / "small.gguf"
    file.write_bytes(SMALL)
    holds = vocabulary(file)
    assert holds("<|fim_prefix|>")
    assert not holds("fim_prefix")
    assert not holds("<|fim_suffix|>")


@pytest.mark.parametrize("content", [b"", b"GGU", b"PK\x03\x04" + b"\0" * 40, b"\x7fELF" * 10])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    """What does not begin as a GGUF file does is named in the error."""
    file = tmp_path / "other.gguf"
    file.write_bytes(content)
    with pytest.raises(WeightsDamaged, match="not a GGUF model file"):
        check_magic(file)


@given(cut=st.integers(24, len(SMALL) - 1), noise=st.binary(max_size=200))
def test_damaged_metadata_never_escapes_as_another_error(
    tmp_path_factory: pytest.TempPathFactory, cut: int, noise: bytes
) -> None:
    """A file cut anywhere, with anything behind the cut, gives facts or the one error."""
    file = tmp_path_factory.mktemp("gguf") / "damaged.gguf"
    file.write_bytes(SMALL[:cut] + noise)
    with suppress(WeightsDamaged):
        read_facts(file)
