"""The embedded engine: llama.cpp in a process of its own, one per user, and its model files.

Importing this is cheap: llama.cpp, httpx and psutil are imported where they are used.
"""

from collections.abc import Callable

from synconfroute.clients.engine.catalogue import KNOWN, STARTER, KnownModel
from synconfroute.clients.engine.process import EngineOptions, run_engine
from synconfroute.clients.engine.pull import pull
from synconfroute.clients.engine.state import EngineState
from synconfroute.clients.engine.status import EngineStatus, status
from synconfroute.clients.engine.stop import remove, stop
from synconfroute.clients.engine.store import InstalledModel, list_models, resolve

__all__ = [
    "KNOWN",
    "STARTER",
    "EngineOptions",
    "EngineState",
    "EngineStatus",
    "InstalledModel",
    "KnownModel",
    "list_models",
    "pull",
    "remove",
    "resolve",
    "run",
    "status",
    "stop",
]


def run(
    model: str = "",
    options: EngineOptions | None = None,
    on_ready: Callable[[EngineState], None] | None = None,
) -> None:
    """Run the engine here, in the foreground, until it is idle, interrupted or stopped.

    Args:
        model: a known name, a .gguf file, or "" for the best that is here.
        options: how to run it.
        on_ready: called once it answers.

    Raises:
        WeightsMissing: there is no such model file on this machine.
        WeightsDamaged: the model file is not what was pulled.
        UsageError: nothing is known by that name.
        EngineFailed: another engine runs already, or the model cannot be loaded.
    """
    run_engine(resolve(model), options or EngineOptions(), on_ready)
