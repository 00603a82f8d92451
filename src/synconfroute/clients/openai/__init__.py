"""OpenAI-compatible servers: their client and their base addresses."""

from synconfroute.clients.openai.address import api_base
from synconfroute.clients.openai.client import OpenAICompatible

__all__ = ["OpenAICompatible", "api_base"]
