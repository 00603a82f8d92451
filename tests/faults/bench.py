"""The way of a request with real clients on real sockets, and what its user sees of it."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx  # noqa: F401  imported late by the clients, so that the first row would wait for it

from synconfroute.server.completion.admission import Admission
from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.completer import ChosenLocalTier
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.pipeline import Pipeline
from synconfroute.server.completion.tiers import org_client
from synconfroute.server.protocol.status import Status
from synconfroute.server.settings.reader import read_settings
from synconfroute.validators.verdict import Outcome
from tests.faults.servers import LOCAL_TEXT, MODEL, ModelServer
from tests.faults.table import Row
from tests.server.completion.scripted import ScriptedValidator

LONG_S = 400.0
"""Longer than any pause."""
_LEAST_DEADLINE_MS = 20_000


class Servers:
    """A local model that is never sure, and the organisation's; one of them may be wrong."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.local = ModelServer("ollama" if row.who == "ollama" else "openai", LOCAL_TEXT)
        self.local.logprob = -3.0
        self.org = ModelServer()
        self._well: dict[str, Any] = {}
        self._told = ""

    @property
    def wrong(self) -> ModelServer:
        """The one that the row is about."""
        return self.org if self.row.who == "org" else self.local

    @property
    def address(self) -> str:
        """Of the wrong one, while it is wrong."""
        return self._told

    async def break_down(self) -> dict[str, Any]:
        """Let the row's fault be there. Returns the settings, by dotted names."""
        for name, value in self.row.server.items():
            self._well[name] = getattr(self.wrong, name)
            setattr(self.wrong, name, value)
        self.wrong.fault = self.row.makes() if self.row.makes is not None else self.row.fault
        for server in (self.local, self.org):
            if server is not self.wrong or not self.row.absent:
                await server.start()
        self._told = self.row.address.format(port=self.wrong.port) or self.wrong.url
        return self.settings(**{"org.url" if self.row.who == "org" else "local.url": self._told})

    def settings(self, **other: str) -> dict[str, Any]:
        """The settings for these servers, by dotted names."""
        return {
            "local.provider": self.local.kind,
            "local.url": self.local.url,
            "local.model": MODEL if self.local.kind == "ollama" and not _chooses(self.row) else "",
            "org.url": self.org.url,
            "router.threshold": 0.7,
            "router.rule": "paper",
            "limits.alternatives": 0,
            "escalation.deadline_ms": _LEAST_DEADLINE_MS,
            **self.row.settings,
            **other,
        }

    async def heal(self) -> dict[str, Any] | None:
        """Let all be well. Returns other settings, where only those mend it."""
        self.wrong.fault = None
        certificate = self.row.server.get("certificate", "")
        for name, value in self._well.items():
            setattr(self.wrong, name, value)
        if self.row.absent:
            await self.wrong.start()
        if certificate:  # renewed: the same address, a certificate that is valid
            self.wrong.certificate = "valid.pem"
            await self.wrong.stop()
            await self.wrong.start()
        return self.settings() if self.row.address else None


def _chooses(row: Row) -> bool:
    return row.name == "ollama_no_model"


@asynccontextmanager
async def servers_for(row: Row) -> AsyncIterator[Servers]:
    """Servers that are stopped in the end."""
    servers = Servers(row)
    async with servers.local, servers.org:
        yield servers


class Bench:
    """A pipeline whose clock is the test's; only the parser is scripted."""

    def __init__(self, settings: dict[str, Any], ledger: Path, notices: list[str]) -> None:
        read = read_settings(
            command_line=[], editor=settings, environ={}, user_file=Path("/nowhere/settings.toml")
        )
        assert read.messages == ()
        self.now = 1000.0
        self.statuses: list[dict[str, Any]] = []
        self._status = Status(self.statuses.append)
        self._status.start()
        self._folder = ledger.parent
        local = ChosenLocalTier(read.settings, lambda: self.now)
        self._org = OrgTier(
            read.settings,
            Ledger(ledger),
            org_client(read.settings),
            self._status.escalating,
            admission=Admission(read.settings, lambda: self.now),
        )
        self._local = local
        self._pipeline = Pipeline(
            read.settings,
            local,
            self._org,
            ScriptedValidator(lambda _text: Outcome.UNKNOWN, []),
            on_notice=notices.append,
        )

    async def ask(self) -> Answer:
        """One completion."""
        hole = Hole("plaintext", "sum = ", "\n", path=str(self._folder / "a.txt"), explicit=True)
        answer = await self._pipeline.complete(hole)
        self._status.decided(answer.provenance)
        return answer

    async def aclose(self) -> None:
        """Close all connections."""
        await self._local.aclose()
        await self._org.aclose()


def as_told(row: Row, address: str, ledger: Path) -> "re.Pattern[str]":
    """The row's sentence, with what is known only when it is said."""
    known = {"at": address, "ledger": str(ledger)}
    text = re.escape(row.says)
    for name, value in known.items():
        text = text.replace(re.escape(f"{{{name}}}"), re.escape(value))
    return re.compile(text.replace(re.escape("{why}"), "[A-Za-z ]+"))
