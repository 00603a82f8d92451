"""`synconfroute serve`: the language server for one editor, on stdin and stdout."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.server.command.reading import read_for
from synconfroute.server.completion.answer import Provenance
from synconfroute.server.protocol.completer import Completer
from synconfroute.server.protocol.stdio import run_stdio
from synconfroute.server.settings.tree import Settings

if TYPE_CHECKING:
    from synconfroute.server.protocol.commands import Examination


def serve(options: Namespace) -> int:
    """Serve until the editor says `exit` or is gone.

    Returns:
        0 after `shutdown` and `exit`, else 1.
    """
    named = {"log.file": options.log_file, "log.level": options.log_level}
    own = [f"{key}={value}" for key, value in named.items() if value is not None]
    first = read_for(options, more=own).settings.log

    def load(editor: dict[str, Any] | None, roots: Sequence[Path]) -> tuple[Settings, list[str]]:
        reading = read_for(options, roots, editor=editor, more=own)
        return reading.settings, list(reading.messages)

    def build(
        settings: Settings,
        *,
        on_notice: Callable[[str], None],
        on_made: Callable[[str, Provenance], None],
    ) -> Completer:
        from synconfroute.server.completion import flow

        return flow.build(settings, on_notice=on_notice, on_made=on_made)

    async def look(editor: dict[str, Any] | None, roots: Sequence[Path]) -> "Examination":
        from synconfroute.server.command.examination import examine

        return await examine(options, editor, roots)

    return run_stdio(load, build, look, log_file=first.file, log_level=first.level)
