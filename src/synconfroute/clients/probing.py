"""Faults met while probing, as states."""

from synconfroute.clients.model import Probe, State
from synconfroute.errors import (
    KeyRefused,
    ModelMissing,
    ModelServerError,
    ServerBusy,
    ServerFault,
    ServerUnreachable,
)

PROBE_SECONDS = 5.0
"""The longest wait for one answer of a server that is asked what it can do."""

FIRST_ANSWER_SECONDS = 30.0
"""The longest wait for such an answer before a first request; the caller's deadline is shorter."""

_STATES: tuple[tuple[type[ModelServerError], State], ...] = (
    (ServerUnreachable, State.UNREACHABLE),
    (ServerFault, State.UNREACHABLE),
    (KeyRefused, State.KEY_REFUSED),
    (ModelMissing, State.MODEL_MISSING),
    (ServerBusy, State.LOADING),
)


def failed_probe(error: ModelServerError, server: str = "", model: str = "") -> Probe:
    """The probe that met this error. Whatever is not a known state is no model server."""
    state = next((state for kind, state in _STATES if isinstance(error, kind)), State.NOT_A_SERVER)
    retry_after = error.retry_after if isinstance(error, ServerBusy) else None
    return Probe(state, str(error), server=server, model=model, retry_after=retry_after)


def named(models: tuple[str, ...], most: int = 5) -> str:
    """The first few models, for a sentence."""
    shown = ", ".join(models[:most]) or "no model"
    return f"{shown} and {len(models) - most} more" if len(models) > most else shown
