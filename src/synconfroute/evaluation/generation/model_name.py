"""How a model is named on the command line."""

import re
from dataclasses import dataclass

from synconfroute.errors import UsageError

PROVIDERS = ("ollama", "openai", "embedded", "org")


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model and who serves it.

    Attributes:
        provider: one of `PROVIDERS`; "org" is the organisation's server of the settings.
        name: the model's name there, a .gguf file for "embedded"; "": the server's own choice.
    """

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"

    @property
    def for_files(self) -> str:
        """The model as a piece of a file's name."""
        name = re.split(r"[/\\]", self.name)[-1].removesuffix(".gguf")
        return re.sub(r"[^\w.+-]+", "-", f"{self.provider}-{name}").strip("-.")


def model_name(text: str) -> ModelName:
    """Read PROVIDER:NAME.

    Raises:
        UsageError: there is no such provider.
    """
    provider, colon, name = text.partition(":")
    if not colon or provider not in PROVIDERS:
        raise UsageError(
            f"{text} names no model: give PROVIDER:NAME with a provider of"
            f" {', '.join(PROVIDERS)}, such as ollama:qwen2.5-coder:0.5b."
        )
    return ModelName(provider, name)
