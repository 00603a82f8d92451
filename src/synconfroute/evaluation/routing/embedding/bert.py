"""BERT's encoder (Devlin et al., 2019) in numpy, and the mean of what it says of each token."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_EPSILON = 1e-12
_FAR = -1e9
"""What is added to the attention of padding: nothing is left of it after the softmax."""


class Bert:
    """An encoder with given tensors, named as in the published checkpoints."""

    def __init__(self, tensors: "Mapping[str, np.ndarray]", heads: int) -> None:
        """Take the tensors.

        Args:
            tensors: `embeddings.…` and `encoder.layer.N.…`, 32-bit floats.
            heads: attention heads of each layer.
        """
        self._tensors = tensors
        self._heads = heads
        names = {name.split(".")[2] for name in tensors if name.startswith("encoder.layer.")}
        self._layers = len(names)

    def embed(self, texts: Sequence[Sequence[int]]) -> "np.ndarray":
        """One vector of length 1 for each text: the mean over its tokens, normalised.

        Args:
            texts: token ids, at least one a text; shorter ones are padded.
        """
        import numpy as np

        longest = max(map(len, texts))
        ids = np.zeros((len(texts), longest), dtype=np.int64)
        real = np.zeros((len(texts), longest), dtype=np.float32)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            real[row, : len(text)] = 1.0
        states = self._embedded(ids)
        hidden = (1.0 - real)[:, None, None, :] * np.float32(_FAR)
        for layer in range(self._layers):
            states = self._layer(f"encoder.layer.{layer}", states, hidden)
        mean = (states * real[:, :, None]).sum(axis=1) / real.sum(axis=1, keepdims=True)
        vectors: np.ndarray = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def _embedded(self, ids: "np.ndarray") -> "np.ndarray":
        tensors = self._tensors
        states = (
            tensors["embeddings.word_embeddings.weight"][ids]
            + tensors["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + tensors["embeddings.token_type_embeddings.weight"][0]
        )
        return self._norm("embeddings.LayerNorm", states)

    def _layer(self, name: str, states: "np.ndarray", hidden: "np.ndarray") -> "np.ndarray":
        attended = self._dense(f"{name}.attention.output.dense", self._attend(name, states, hidden))
        states = self._norm(f"{name}.attention.output.LayerNorm", states + attended)
        inner = _gelu(self._dense(f"{name}.intermediate.dense", states))
        return self._norm(
            f"{name}.output.LayerNorm", states + self._dense(f"{name}.output.dense", inner)
        )

    def _attend(self, name: str, states: "np.ndarray", hidden: "np.ndarray") -> "np.ndarray":
        """Self-attention, all heads side by side."""
        import numpy as np

        texts, length, width = states.shape
        each = width // self._heads

        def part(which: str) -> "np.ndarray":
            of = self._dense(f"{name}.attention.self.{which}", states)
            return of.reshape(texts, length, self._heads, each).transpose(0, 2, 1, 3)

        likeness = part("query") @ part("key").transpose(0, 1, 3, 2) / np.float32(each**0.5)
        likeness += hidden
        likeness -= likeness.max(axis=-1, keepdims=True)
        shares = np.exp(likeness)
        shares /= shares.sum(axis=-1, keepdims=True)
        said: np.ndarray = shares @ part("value")
        return said.transpose(0, 2, 1, 3).reshape(texts, length, width)

    def _dense(self, name: str, states: "np.ndarray") -> "np.ndarray":
        made: np.ndarray = states @ self._tensors[f"{name}.weight"].T
        made += self._tensors[f"{name}.bias"]
        return made

    def _norm(self, name: str, states: "np.ndarray") -> "np.ndarray":
        import numpy as np

        made: np.ndarray = states - states.mean(axis=-1, keepdims=True)
        made /= np.sqrt((made * made).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        made *= self._tensors[f"{name}.weight"]
        made += self._tensors[f"{name}.bias"]
        return made


def _gelu(states: "np.ndarray") -> "np.ndarray":
    import numpy as np
    from scipy.special import erf

    made: np.ndarray = erf(states / np.float32(2**0.5))
    made += np.float32(1.0)
    made *= states * np.float32(0.5)
    return made
