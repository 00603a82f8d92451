"""Model servers: a stream of tokens with log-probs, and a probe. No LSP in here."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synconfroute.clients.embedded import Embedded
    from synconfroute.clients.model import ModelClient, Token
    from synconfroute.clients.ollama import Ollama
    from synconfroute.clients.openai import OpenAICompatible

__all__ = ["Embedded", "ModelClient", "Ollama", "OpenAICompatible", "Token"]

_HOMES = {
    "Embedded": "synconfroute.clients.embedded",
    "ModelClient": "synconfroute.clients.model",
    "Ollama": "synconfroute.clients.ollama",
    "OpenAICompatible": "synconfroute.clients.openai",
    "Token": "synconfroute.clients.model",
}


def __getattr__(name: str) -> Any:
    """Import what is named, and nothing else: the server starts without any client."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
