"""The shapes there are, by name."""

from benchmarks.model.ollama import Ollama
from benchmarks.model.shape import Shape
from benchmarks.model.vllm import VLLM

SHAPES: dict[str, type[Shape]] = {"ollama": Ollama, "vllm": VLLM}
