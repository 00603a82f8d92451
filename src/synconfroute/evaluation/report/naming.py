"""Which model a recorded name means: its name in the paper, family, tier, level of quantization."""

import re
from dataclasses import dataclass
from functools import lru_cache

from synconfroute.evaluation.datasets.models import Model, read_models

_LEVEL = re.compile(r"(?<![a-z0-9])(i?q\d(?:_[0-9a-z]+)*|bf16|fp?16|fp?32)(?![a-z0-9])", re.I)
_WORDS = re.compile(r"(?<![a-z0-9])(instruct|chat|base|gguf|from|it)(?![a-z0-9])", re.I)
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.I)
_TAG_LEVEL = "Q4_K_M"
"""What a tag of Ollama's library without a level holds."""

_SMALL, _MID_RANGE = 3.0, 16.0
"""The most parameters of each tier, in thousands of millions (paper, Table 2)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A model.

    Attributes:
        name: as in the paper's Table 2; of any other model, as it was recorded.
        family: as there; else the word that the name begins with.
        tier: "small", "mid-range" or "large"; "" where the name tells no size.
        size: parameters in thousands of millions; 0 where the name tells none.
        level: of quantization, such as "Q4_K_M"; "" where unknown.
        remade: the level that the weights had before they were quantized again; mostly "".
    """

    name: str
    family: str
    tier: str
    size: float
    level: str
    remade: str = ""

    @property
    def label(self) -> str:
        """The name, with the level where that is not the usual one."""
        return f"{self.name} {self.level}" if self.level not in {"", _TAG_LEVEL} else self.name

    @property
    def usual(self) -> bool:
        """True unless it is a level beside the usual one."""
        return self.level in {"", _TAG_LEVEL}


@lru_cache
def named(recorded: str) -> Named:
    """The model that a server or a file calls so."""
    last = recorded.rpartition("/")[2].removesuffix(".gguf")
    levels = [_as_written(level) for level in _LEVEL.findall(last)]
    level = levels[-1] if levels else (_TAG_LEVEL if ":" in last else "")
    remade = levels[0] if len(levels) > 1 and levels[0] != level else ""
    bare = _bare(last)
    for model in read_models():
        if bare in _names_of(model):
            return Named(model.name, model.family, model.tier, model.size, level, remade)
    shown = re.sub(r"[-_.:]{2,}", "-", _LEVEL.sub("", last)).strip("-_.:") or recorded
    word = re.match(r"[A-Za-z]+", last)
    size = _size_of(last)
    return Named(shown, word[0] if word else "", _tier_of(size), size, level, remade)


def _names_of(model: Model) -> set[str]:
    return {_bare(name.rpartition("/")[2]) for name in (model.name, model.ollama, model.vllm)} - {
        ""
    }


def _bare(name: str) -> str:
    """What of a name tells the model: without level, packaging and separators."""
    return re.sub(r"[^a-z0-9.]+", "-", _WORDS.sub("", _LEVEL.sub("", name)).lower()).strip("-.")


def _as_written(level: str) -> str:
    upper = level.upper()
    return {"FP16": "F16", "FP32": "F32"}.get(upper, upper)


def _size_of(name: str) -> float:
    found = _SIZE.search(name)
    return float(found[1]) / (1000 if found[2].lower() == "m" else 1) if found else 0.0


def _tier_of(size: float) -> str:
    if not size:
        return ""
    return "small" if size <= _SMALL else "mid-range" if size <= _MID_RANGE else "large"
