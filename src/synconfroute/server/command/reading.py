"""The settings of a command: read, and what was wrong said on stderr."""

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from synconfroute.server.command import console
from synconfroute.server.places import workspace_above
from synconfroute.server.protocol.logs import start_logging
from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.tree import Settings


def read_for(
    options: Namespace, beside: str = "", editor: Any = None, more: Iterable[str] = ()
) -> Reading:
    """The settings for this run.

    Args:
        options: of the command line; its --set are the strongest source.
        beside: a file whose workspace counts; "": the current folder's.
        editor: what an editor sent as its settings.
        more: further `section.key=value`, from options of their own.
    """
    start = Path(beside).absolute().parent if beside else Path.cwd()
    return read_settings(
        workspace=workspace_above(start), editor=editor, command_line=[*options.set, *more]
    )


def read_and_tell(options: Namespace, beside: str = "") -> Reading:
    """`read_for`, with one line on stderr for each thing that is wrong."""
    reading = read_for(options, beside)
    for message in reading.messages:
        console.complain(message)
    log_to_file(reading.settings)
    return reading


def log_to_file(settings: Settings) -> None:
    """Log where the settings say; a command without a log file logs nothing: it says it all."""
    if settings.log.file:
        problem = start_logging(settings.log.file, settings.log.level)
        if problem is not None:
            console.complain(problem)
