"""`workspace/executeCommand`: what every editor can ask of the server, beside completions."""

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from synconfroute.server.completion.answer import Provenance
from synconfroute.server.completion.explanation import explain
from synconfroute.server.places import ledger_folder
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.lines import unix_line_ends, whole_characters
from synconfroute.server.protocol.progress import Progress
from synconfroute.server.protocol.switch import USUAL_MINUTES, Switch
from synconfroute.server.protocol.uris import key_of

Run: TypeAlias = Callable[[Sequence[Any]], Awaitable[Any]]
"""A command: its arguments, as the editor sent them, and what it answers."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a command of ours said.

    Attributes:
        text: for people, perhaps several lines.
        ok: it succeeded; of the doctor: completions can be made.
    """

    text: str
    ok: bool


class RunBeside(Protocol):
    """Runs `synconfroute` beside the server."""

    def __call__(
        self, command: Sequence[str], editor: dict[str, Any] | None, roots: Sequence[Path], /
    ) -> Awaitable[Report]:
        """Takes seconds or minutes; cancelling it ends it.

        Args:
            command: what is typed after `synconfroute`.
            editor: the editor's settings.
            roots: the folders that the editor has open.
        """
        ...


class Commands:
    """The commands of one session. Wrong arguments count as none."""

    def __init__(
        self,
        documents: Documents,
        switch: Switch,
        last: Callable[[str | None], Provenance | None],
        *,
        beside: Callable[[Sequence[str]], Awaitable[Report]],
        progress: Progress,
        on_switched: Callable[[], None],
    ) -> None:
        """Act on these.

        Args:
            documents: what is open.
            switch: whether completions come.
            last: the newest decision, of one document or of all.
            beside: runs `synconfroute` with this session's settings.
            progress: shows what takes long.
            on_switched: called when the switch was moved.
        """
        self._documents = documents
        self._switch = switch
        self._last = last
        self._beside = beside
        self._progress = progress
        self._on_switched = on_switched

    @property
    def table(self) -> dict[str, Run]:
        """Each command by its name."""
        return {
            "synconfroute.toggle": self._toggle,
            "synconfroute.snooze": self._snooze,
            "synconfroute.why": self._why,
            "synconfroute.doctor": self._doctor,
            "synconfroute.pull": self._pull,
            "synconfroute.digest": self._digest,
            "synconfroute.ledger": self._ledger,
        }

    async def _toggle(self, arguments: Sequence[Any]) -> dict[str, bool]:
        enabled = self._switch.toggle(_document(arguments))
        self._on_switched()
        return {"enabled": enabled}

    async def _snooze(self, arguments: Sequence[Any]) -> dict[str, str]:
        until = self._switch.snooze(_minutes(arguments))
        self._on_switched()
        return {"until": until.isoformat(timespec="seconds")}

    async def _why(self, arguments: Sequence[Any]) -> dict[str, Any]:
        document = _document(arguments)
        made = self._last(document)
        off = self._switch.why_not(document)
        said = "No completion was asked for yet." if made is None else explain(made)
        return {
            "message": f"{off} {said}".strip(),
            "provenance": None if made is None else asdict(made),
        }

    async def _doctor(self, _arguments: Sequence[Any]) -> dict[str, Any]:
        with self._progress.working("Examining SynConfRoute"):
            found = await self._beside(["doctor"])
        return {"report": found.text, "ok": found.ok}

    async def _pull(self, _arguments: Sequence[Any]) -> dict[str, Any]:
        """Brings the starter model, where there is none. No other: an argument may be anybody's."""
        with self._progress.working("Getting the starter model"):
            done = await self._beside(["engine", "pull"])
        return {"message": done.text, "ok": done.ok}

    async def _digest(self, arguments: Sequence[Any]) -> dict[str, Any] | None:
        """Tells whether editor and server hold the same text, without showing it."""
        document = self._documents.get(_uri(arguments) or "")
        if document is None:
            return None
        import hashlib

        text = whole_characters(unix_line_ends(document.text))
        content = text.encode("utf-8", "surrogatepass")
        return {
            "version": document.version,
            "characters": len(text),
            "sha256": hashlib.sha256(content).hexdigest(),
        }

    async def _ledger(self, _arguments: Sequence[Any]) -> dict[str, str]:
        """The newest of the ledger's files; its folder while there is none."""
        folder = ledger_folder()
        newest = max(folder.glob("*.jsonl"), key=lambda file: file.name, default=folder)
        return {"path": str(newest)}


def _uri(arguments: Sequence[Any]) -> str | None:
    first = arguments[0] if arguments else None
    return first if isinstance(first, str) else None


def _document(arguments: Sequence[Any]) -> str | None:
    """The key of the document that the first argument names."""
    uri = _uri(arguments)
    return None if uri is None else key_of(uri)


def _minutes(arguments: Sequence[Any]) -> float:
    first = arguments[0] if arguments else None
    if not isinstance(first, int | float) or isinstance(first, bool) or not math.isfinite(first):
        return USUAL_MINUTES
    return float(first)
