"""The models of the paper's Table 2 (§2.2)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the paper evaluates.

    Attributes:
        name: as the paper has it.
        family: one of twelve.
        size: parameters, in thousands of millions.
        tier: by size (paper, Table 2).
        serving: by which server the paper ran it.
        vllm: the id of its weights, which vLLM is started with.
        ollama: its tag in Ollama's own library; "" where that has none.
        active: parameters used at a time, where these are fewer (mixture of experts).
    """

    name: str
    family: str
    size: float
    tier: Literal["small", "mid-range", "large"]
    serving: Literal["ollama", "vllm"]
    vllm: str
    ollama: str = ""
    active: float | None = None


def read_models() -> list[Model]:
    """All 29, in the paper's order."""
    text = Path(__file__).with_name("models.toml").read_text(encoding="utf-8")
    return [Model(**row) for row in tomllib.loads(text)["model"]]
