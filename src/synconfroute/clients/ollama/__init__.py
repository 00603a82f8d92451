"""Ollama: its client, where it listens, and which of its models to take."""

from synconfroute.clients.ollama.address import DEFAULT_ADDRESS, ollama_address
from synconfroute.clients.ollama.client import Ollama
from synconfroute.clients.ollama.models import SUGGESTED_MODEL, choose_code_model
from synconfroute.clients.ollama.pull import PullProgress

__all__ = [
    "DEFAULT_ADDRESS",
    "SUGGESTED_MODEL",
    "Ollama",
    "PullProgress",
    "choose_code_model",
    "ollama_address",
]
