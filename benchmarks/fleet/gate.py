"""A protocol before which somebody can put a busy server, or one that writes nothing.

    POST /fleet/mode  {"mode": "well" | "busy" | "down" | "stalled"}
    GET  /fleet/told  what came while it refused, and how busy the model was

Busy: completions get 429 with `Retry-After`. Down: everything gets 503 without it, as from a
gateway with no server behind it. Stalled: requests are taken, and no token comes.
"""

import time

from benchmarks.fleet.batched import Batched
from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked
from benchmarks.model.shape import Shape, Writing

RETRY_AFTER_S = 10
_MODES = ("well", "busy", "down", "stalled")
_PATHS = ("/v1/completions", "/api/generate")


class Gate:
    """Answers in another shape, unless it is told to refuse."""

    def __init__(self, shape: Shape, pace: Batched | None = None) -> None:
        """Well.

        Args:
            shape: the protocol.
            pace: of the model, to be held.
        """
        self.kind = shape.kind
        self._shape = shape
        self._pace = pace
        self._mode = "well"
        self._refused: list[tuple[float, str]] = []
        self._probed = 0
        self._lags: list[float] = []

    def late(self, seconds: float) -> None:
        """The loop was late by so much; told with everything else."""
        self._lags.append(seconds)

    def asked(self, request: Request) -> Asked | None:
        """What is asked; None while it is refused."""
        return None if self._refuses(request) else self._shape.asked(request)

    def begin(self, asked: Asked) -> Writing:
        """Begin an answer."""
        return self._shape.begin(asked)

    def reply(self, request: Request) -> Reply:
        """Refuse, take an order, or let the shape answer."""
        if request.path == "/fleet/mode":
            return self._turn(str(request.json().get("mode")))
        if request.path == "/fleet/told":
            return Reply(self._told())
        if not self._refuses(request):
            return self._shape.reply(request)
        if request.path in _PATHS:
            self._refused.append((time.monotonic(), request.headers.get("x-request-id", "")))
        else:
            self._probed += 1
        if self._mode == "busy":
            return Reply({"error": "busy"}, 429, headers={"Retry-After": str(RETRY_AFTER_S)})
        return Reply({"error": "no server"}, 503)

    def _turn(self, mode: str) -> Reply:
        if mode not in _MODES:
            return Reply({"error": "no such mode"}, 400)
        self._mode = mode
        if self._pace is not None:
            self._pace.hold(held=mode == "stalled")
        return Reply({"mode": mode, "at": time.monotonic()})

    def _told(self) -> dict[str, object]:
        """What it knows, and forget the lags: they are told once."""
        lags, self._lags = self._lags, []
        return {
            "at": time.monotonic(),
            "refused": self._refused,
            "probed": self._probed,
            "busy_s": 0.0 if self._pace is None else self._pace.busy_s,
            "seat_s": 0.0 if self._pace is None else self._pace.seat_s,
            "lags": lags,
        }

    def _refuses(self, request: Request) -> bool:
        if request.path.startswith("/fleet/"):
            return False
        return self._mode == "down" or (self._mode == "busy" and request.path in _PATHS)
