"""`synconfroute serve`: the language server, on stdin and stdout for one editor, or on a port."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import UsageError
from synconfroute.server.command import console
from synconfroute.server.command.reading import read_for
from synconfroute.server.protocol.stdio import run_stdio
from synconfroute.server.settings.tree import Log, Settings

if TYPE_CHECKING:
    from synconfroute.server.completion.answer import Provenance
    from synconfroute.server.protocol.commands import Report
    from synconfroute.server.protocol.completer import Completer
    from synconfroute.server.protocol.tcp import Address
    from synconfroute.validators.parsers import Parsers


def serve(options: Namespace) -> int:
    """Serve until the editor says `exit` or is gone; on a port until the process is ended.

    Returns:
        0 after `shutdown` and `exit`, else 1; on a port 0.

    Raises:
        UsageError: the port cannot be listened on, or only by saying so.
    """
    named = {"log.file": options.log_file, "log.level": options.log_level}
    own = tuple(f"{key}={value}" for key, value in named.items() if value is not None)
    log = read_for(options, more=own).settings.log
    several = options.tcp is not None
    parts = _Parts(options, own, log if several else None, _parsers() if several else None)
    if options.tcp is None:
        return run_stdio(
            parts.load, parts.build, parts.beside, log_file=log.file, log_level=log.level
        )
    return _on_a_port(parts, log)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a session is made of.

    Attributes:
        options: of the command line.
        own: `section.key=value`, from its own options.
        log: of the process, where it serves several sessions.
        parsers: what these share; None: there is only one.
    """

    options: Namespace
    own: tuple[str, ...]
    log: Log | None
    parsers: "Parsers | None"

    def load(
        self, editor: dict[str, Any] | None, roots: Sequence[Path]
    ) -> tuple[Settings, list[str]]:
        """The settings of a session."""
        ignored: list[str] = []
        if self.log is not None:
            from synconfroute.server.command.restraint import restrained

            editor, ignored = restrained(editor)
        reading = read_for(self.options, roots, editor=editor, more=self.own)
        settings = reading.settings
        if self.log is not None:
            settings = replace(settings, log=self.log)
        return settings, [*ignored, *reading.messages]

    def build(
        self,
        settings: Settings,
        *,
        on_notice: Callable[[str], None],
        on_made: "Callable[[str, Provenance], None]",
        on_waiting: Callable[[int], None],
    ) -> "Completer":
        """The completer of a session."""
        from synconfroute.server.completion import flow

        return flow.build(
            settings,
            on_notice=on_notice,
            on_made=on_made,
            on_waiting=on_waiting,
            parsers=self.parsers,
        )

    async def beside(
        self, command: Sequence[str], editor: dict[str, Any] | None, roots: Sequence[Path]
    ) -> "Report":
        """Another command of ours, with the session's settings."""
        from synconfroute.server.command.beside import run_beside

        if self.log is not None:
            from synconfroute.server.command.restraint import restrained

            editor, _ = restrained(editor)
        return await run_beside(self.options, command, editor, roots)


def _parsers() -> "Parsers":
    from synconfroute.validators.parsers import Parsers

    return Parsers()


def _on_a_port(parts: _Parts, log: Log) -> int:
    from synconfroute.server.protocol.tcp import Address, run_tcp

    host, port = parts.options.tcp
    if not (parts.options.allow_remote or _is_this_machine(host)):
        raise UsageError(
            f"{host} is an address that other machines may reach, and whoever reaches the port may"
            " use it: listen on 127.0.0.1, or add --allow-remote."
        )
    return run_tcp(
        Address(host, port),
        parts.load,
        parts.build,
        parts.beside,
        on_listening=_announce,
        log_file=log.file,
        log_level=log.level,
    )


def _is_this_machine(host: str) -> bool:
    import ipaddress

    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _announce(address: "Address") -> None:
    console.say(f"Listening on {address.host}:{address.port}.")
    console.flush()
