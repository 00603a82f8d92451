"""`synconfroute engine`: the embedded llama.cpp process and its model files."""

from argparse import Namespace

from synconfroute.clients import engine as embedded
from synconfroute.server.command import console
from synconfroute.server.command.reading import read_and_tell


def engine(options: Namespace) -> int:
    """Pull a model, stop the engine, free the disk; with no action run it here.

    Raises:
        EngineError: it could not be done.
        UsageError: the model named is not known.
    """
    match options.action:
        case "pull":
            path = embedded.pull(options.source, options.sha256 or None)
            console.say(f"The model is here: {path}")
        case "stop":
            stopped = embedded.stop()
            console.say("The engine has ended." if stopped else "No engine was running.")
        case "remove":
            freed = embedded.remove(options.name or None)
            console.say(f"{freed:.0f} MB of disk are free again.")
        case _:
            return _run_here(options)
    return 0


def _run_here(options: Namespace) -> int:
    """Run in the foreground until idle or interrupted; where one runs already, say where."""
    status = embedded.status()
    if status.running:
        console.say(
            f"The engine runs as process {status.pid} with {status.model} on {status.device},"
            f" at {status.url or 'an address that it still has to open'}."
        )
        return 0
    settings = read_and_tell(options).settings
    run_options = embedded.EngineOptions(
        idle_minutes=settings.engine.idle_minutes,
        threads=settings.engine.threads or settings.local.threads,
        context_tokens=settings.local.context_tokens,
    )
    embedded.run(settings.local.model, run_options, _announce)
    return 0


def _announce(state: embedded.EngineState) -> None:
    console.say(f"The engine answers at {state.url} for your user only; Ctrl+C ends it.")
    console.flush()
