"""How a request that nobody asked for lets those pass that somebody waits for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LATER = 10
"""Its priority. Lower numbers go first (vLLM, LiteLLM) and a request that names none has 0, so that
ours goes before nobody else's."""


@dataclass(frozen=True, slots=True)
class Precedence:
    """What marks a request that came by itself. Requests that somebody asked for carry none of it.

    Attributes:
        priority: the number that it carries, vLLM's `priority`; 0: none.
        headers: for routers that read it from a header, such as the objective of llm-d.
    """

    priority: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def members(self) -> dict[str, Any]:
        """What the body carries."""
        return {"priority": self.priority} if self.priority else {}
