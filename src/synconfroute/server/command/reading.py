"""The settings of a command: read, and what was wrong said on stderr."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from synconfroute.server.command import console
from synconfroute.server.places import workspace_above
from synconfroute.server.protocol.logs import start_logging
from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.tree import Settings


def read_for(
    options: Namespace, roots: Sequence[Path] = (), editor: Any = None, more: Iterable[str] = ()
) -> Reading:
    """The settings for this run.

    Args:
        options: of the command line; its --set are the strongest source.
        roots: folders whose workspaces count; none: the current one.
        editor: what an editor sent as its settings.
        more: further `section.key=value`, from options of their own.
    """
    found = [workspace_above(root.absolute()) for root in roots or [Path.cwd()]]
    workspaces = dict.fromkeys(root for root in found if root is not None)
    return read_settings(workspaces=workspaces, editor=editor, command_line=[*options.set, *more])


def read_and_tell(options: Namespace, beside: str = "") -> Reading:
    """`read_for` a file's folder, with one line on stderr for each thing that is wrong.

    Args:
        options: of the command line.
        beside: a file whose workspace counts; "": the current folder's.
    """
    reading = read_for(options, [Path(beside).parent] if beside else [])
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
