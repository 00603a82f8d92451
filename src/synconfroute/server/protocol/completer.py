"""What the protocol needs from the completion side."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from synconfroute.server.settings.tree import Settings

if TYPE_CHECKING:
    from synconfroute.server.completion.answer import Answer, Provenance
    from synconfroute.server.completion.breaker import State
    from synconfroute.server.completion.hole import Hole
    from synconfroute.server.protocol.documents import Follower


class Completer(Protocol):
    """Makes completions; one per server process."""

    @property
    def breaker(self) -> "State | None":
        """Whether the organisation's server is asked now; None where there is none."""
        ...

    @property
    def follower(self) -> "Follower":
        """Wants to know of every open document."""
        ...

    @property
    def speculates(self) -> bool:
        """Completions may be asked for before the editor asks."""
        ...

    @property
    def paused(self) -> str:
        """One sentence while no completion comes by itself; else ""."""
        ...

    def turned_to(self, hole: "Hole", *, goes_on: bool) -> None:
        """The user has turned to a document; `goes_on`: likely to go on at this very hole."""
        ...

    def typed(self) -> None:
        """A document was edited just now."""
        ...

    def shown(self, request_id: str) -> None:
        """The user was shown an answer of the organisation's server: the ledger is told."""
        ...

    async def complete(self, hole: "Hole", on_text: Callable[[str], None]) -> "Answer":
        """One completion. Cancelling the task closes the model streams.

        `on_text` is told the local model's text: "" when it is about to be asked, then as it grows.
        """
        ...

    async def warm(self) -> str:
        """Make ready what the first completion needs; say what is missing, or ""."""
        ...

    async def aclose(self) -> None:
        """Close connections and end child processes."""
        ...


class BuildCompleter(Protocol):
    """Makes the completer, once the settings are known."""

    def __call__(
        self,
        settings: Settings,
        *,
        on_notice: Callable[[str], None],
        on_made: "Callable[[str, Provenance], None]",
        on_waiting: Callable[[int], None],
    ) -> Completer:
        """Build it.

        Args:
            settings: from all sources.
            on_notice: takes one sentence for the user, from any thread.
            on_made: takes the language and the provenance of each answer of the models.
            on_waiting: takes how many more requests wait for the organisation's server.
        """
        ...


class LoadSettings(Protocol):
    """Reads the settings from all sources, given what the editor sent."""

    def __call__(
        self, editor: dict[str, Any] | None, roots: Sequence[Path], /
    ) -> tuple[Settings, list[str]]:
        """The settings, and one sentence for each thing in them that is wrong.

        `roots` are the folders that the editor has open, if it says so.
        """
        ...
