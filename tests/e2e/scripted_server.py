"""The language server with a completer that does what the cursor's line says; run by tests.

    slow…    goes on until it is cancelled
    empty…   has nothing to say
    fail…    raises an error that quotes the line
    noise…   prints to stdout in every way there is, then answers as usual
    notice…  tells the user something, then answers as usual
    escalate… waits for the organisation's server for a moment, then answers as usual

What it does is written to the file that EVENTS names, one word and the line each.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.commands import Report
from synconfroute.server.protocol.documents import Follower
from synconfroute.server.protocol.stdio import run_stdio
from synconfroute.server.protocol.tcp import Address, run_tcp
from synconfroute.server.settings.reader import read_settings
from synconfroute.server.settings.tree import Log, Settings
from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Source
from synconfroute.validators.verdict import Outcome

LOG = Log(file=os.environ.get("LOG", ""), level="debug")


def load(editor: dict[str, Any] | None, _roots: Sequence[Path]) -> tuple[Settings, list[str]]:
    """The editor's settings; what it sent under "complain" is said to be wrong with them.

    Raises:
        KeyError: the editor sent "break".
    """
    given = dict(editor or {})
    if given.pop("break", None):
        raise KeyError(editor)
    complaints = list(given.pop("complain", []))
    reading = read_settings(editor=given, environ={}, user_file=Path("/nowhere/settings.toml"))
    return replace(reading.settings, log=LOG), [*complaints, *reading.messages]


class Scripted:
    """A completer that follows the script."""

    speculates = False
    paused = ""

    def __init__(
        self,
        settings: Settings,
        *,
        on_notice: Callable[[str], None],
        on_made: Callable[[str, Provenance], None],
        on_waiting: Callable[[int], None],
    ) -> None:
        self._on_notice = on_notice
        self._on_waiting = on_waiting
        self._count = 0
        self._model = settings.local.model
        _note("built", settings.local.provider)

    def typed(self) -> None:
        """Do nothing."""

    def turned_to(self, hole: Hole, *, goes_on: bool) -> None:
        """Make nothing ready."""

    def shown(self, request_id: str) -> None:
        """Note it."""
        _note("shown", request_id)

    async def complete(self, hole: Hole, on_text: Callable[[str], None]) -> Answer:
        """Do what the line says."""
        self._count += 1
        line = hole.left.strip()
        _note("start", line)
        try:
            if line.startswith("slow"):
                await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.02)
            _note("end", line)
        if line.startswith("fail"):
            raise ValueError(f"cannot complete {hole.prefix}")
        if line.startswith("noise"):
            print("printed")
            sys.stdout.write("written\n")
            os.write(1, b"raw\n")
        if line.startswith("escalate"):
            self._on_waiting(1)
            await asyncio.sleep(0)
            self._on_waiting(-1)
        if line.startswith("notice"):
            self._on_notice("Something that the user should know.")
        text = None if line.startswith("empty") else f"<{line}|{hole.right}>\n{int(hole.explicit)}"
        return _answer(text, f"r{self._count}")

    @property
    def breaker(self) -> None:
        """There is no organisation's server."""

    @property
    def follower(self) -> Follower:
        """Nothing here needs the documents."""
        return _Ignoring()

    async def warm(self) -> str:
        """Note it."""
        _note("warm", "")
        return "There is no model." if self._model == "missing" else ""

    async def aclose(self) -> None:
        """Note it."""
        _note("closed", "")


class _Ignoring:
    """Follows no document."""

    def folders(self, roots: Sequence[Path]) -> None:
        """Do nothing."""

    def open(self, key: str, language: str, source: Source) -> None:
        """Do nothing."""

    def edit(self, key: str, splice: Splice) -> None:
        """Do nothing."""

    def forget(self, key: str) -> None:
        """Do nothing."""


def _answer(text: str | None, request_id: str) -> Answer:
    return Answer(
        text,
        Provenance(
            tier=Tier.LOCAL if text else None,
            provider="scripted",
            model="scripted",
            confidence=0.5,
            verdict=Outcome.VALID,
            verdict_reason="",
            evidence=(),
            reason=Reason.KEPT if text else Reason.EMPTY,
            timings_ms={"total": 1.0},
            request_id=request_id,
        ),
    )


def _note(what: str, line: str) -> None:
    events = os.environ.get("EVENTS")
    if events:
        with Path(events).open("a", encoding="utf-8") as file:
            file.write(f"{what} {line}\n")


async def beside(
    command: Sequence[str], editor: dict[str, Any] | None, _roots: Sequence[Path]
) -> Report:
    """Say what would be run, and how many settings the editor sent."""
    return Report(f"{' '.join(command)}: {len(editor or {})} settings", ok=True)


def listen() -> int:
    """Serve on a port, which is printed."""
    return run_tcp(
        Address("127.0.0.1", 0),
        load,
        Scripted,
        beside,
        on_listening=lambda address: print(address.port, flush=True),
        log_file=LOG.file,
        log_level=LOG.level,
    )


if __name__ == "__main__":
    if "--tcp" in sys.argv:
        sys.exit(listen())
    sys.exit(run_stdio(load, Scripted, beside, log_file=LOG.file, log_level=LOG.level))
