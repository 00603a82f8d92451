"""What an editor's status bar says: `didChangeStatus`, to editors that ask for it.

The name and `busy`, `kind`, `message` are those of other servers for inline completion; `tier` and
`detail` are ours.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from synconfroute.server.completion.answer import Provenance, Reason, Tier
from synconfroute.server.completion.explanation import explain

METHOD = "didChangeStatus"

_SHORT_S = 0.05
"""Work that takes no longer than this is not told of, in seconds."""

_MESSAGES = {
    "loading": "The local model is being made ready.",
    "local": "Completions come from the local model.",
    "org": "The last completion came from the organisation's server.",
    "escalating": "The organisation's server is being asked.",
}


class Status:
    """Tells of each change once. Must be used in the event loop."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        """`send` gets what the notification holds; nothing is sent before `start`."""
        self._send = send
        self._wanted = False
        self._told: dict[str, Any] = {}
        self._working = 0
        self._escalating = 0
        self._tier = "loading"
        self._off = ""
        self._paused = ""
        self._trouble = ""
        self._org_problem = ""
        self._shown = True
        self._detail = ""

    def start(self) -> None:
        """The editor wants to know, from now on."""
        self._wanted = True
        self._tell()

    def ready(self, problem: str = "") -> None:
        """What completions need was looked for; `problem` says in a sentence what is missing."""
        self._tier = "local" if self._tier == "loading" else self._tier
        self._trouble, self._shown = problem, not problem
        self._tell()

    def switched(self, why_off: str) -> None:
        """Completions are off for the reason in this sentence, or on: ""."""
        self._off = why_off
        self._tell()

    def decided(self, made: Provenance, paused: str = "") -> None:
        """An answer was made; `paused`: one sentence while none comes by itself."""
        self._paused = paused
        self._detail, self._org_problem = explain(made), made.org_problem
        if made.tier is not None:
            self._tier = "org" if made.tier is Tier.ORG else "local"
        if made.reason not in {Reason.UNWANTED, Reason.EMPTY} or made.tier is not None:
            self._trouble, self._shown = made.problem, made.reason is not Reason.ERROR
        self._tell()

    @contextmanager
    def working(self) -> Iterator[None]:
        """While a request runs; told of only if that takes longer than a moment."""
        begun = False

        def begin() -> None:
            nonlocal begun
            begun = True
            self._working += 1
            self._tell()

        timer = asyncio.get_running_loop().call_later(_SHORT_S, begin)
        try:
            yield
        finally:
            timer.cancel()
            if begun:
                self._working -= 1
                self._tell()

    def escalating(self, more: int) -> None:
        """So many more (or fewer) requests wait for the organisation's server."""
        self._escalating += more
        self._tell()

    def _tell(self) -> None:
        now = self._now()
        if self._wanted and now != self._told:
            self._told = now
            self._send(now)

    def _now(self) -> dict[str, Any]:
        tier = self._shown_tier()
        message = {"off": self._off, "error": self._trouble}.get(tier) or _MESSAGES[tier]
        if self._paused and tier in {"local", "org"}:
            message = self._paused
        if self._org_problem and tier in {"local", "org"}:
            message = f"{message} {self._org_problem}"
        return {
            "busy": self._working > 0,
            "kind": self._kind(tier),
            "message": message,
            "tier": tier,
            "detail": self._detail,
        }

    def _shown_tier(self) -> str:
        if self._off:
            return "off"
        if self._escalating:
            return "escalating"
        return self._tier if self._shown else "error"

    def _kind(self, tier: str) -> str:
        if tier in {"off", "error"}:
            return {"off": "Inactive", "error": "Error"}[tier]
        return "Warning" if self._trouble or self._org_problem else "Normal"
