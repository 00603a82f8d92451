"""A piece of another file that stands in a prompt."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of another file.

    Attributes:
        path: of the file, relative to the workspace, with forward slashes.
        text: whole lines, with line feeds as line ends.
    """

    path: str
    text: str
