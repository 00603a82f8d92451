"""OpenAI-compatible servers: their client and their base addresses."""

from synconfroute.clients.openai.address import api_base
from synconfroute.clients.openai.client import OpenAICompatible
from synconfroute.clients.openai.precedence import Precedence

__all__ = ["OpenAICompatible", "Precedence", "api_base"]
