"""What a file takes from another one."""

from dataclasses import dataclass

from synconfroute.server.completion.context.workspace import Located


@dataclass(frozen=True, slots=True)
class Imported:
    """Definitions of another file that a file may use.

    Attributes:
        source: the other file.
        names: what is taken, by its name there, with its name here; None: whatever it defines.
    """

    source: Located
    names: tuple[tuple[str, str], ...] | None = None
