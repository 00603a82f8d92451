"""What may become context at a place, as it goes from the reader's process to the server."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of another file.

    Attributes:
        file: the file on disk, with symbolic links followed.
        path: the same below its workspace folder, with forward slashes.
        text: whole lines; what of a definition carries it out is left out.
        first: its first line in the file, counted from 0.
        last: its last line there.
        name: what it defines, in plain form (`words.plain`); "" where it is no definition.
        needed: the code at the cursor names it.
    """

    file: str
    path: str
    text: str
    first: int
    last: int
    name: str = ""
    needed: bool = False

    def overlaps(self, other: "Piece") -> bool:
        """Do both stand in the same lines of one file?"""
        same = self.file == other.file
        return same and self.first <= other.last and other.first <= self.last

    def as_json(self) -> dict[str, Any]:
        """All of it, for a message."""
        return asdict(self)

    @classmethod
    def of_json(cls, message: Mapping[str, Any]) -> Self:
        """Read it from a message.

        Raises:
            KeyError: something is missing.
        """
        return cls(
            str(message["file"]),
            str(message["path"]),
            str(message["text"]),
            int(message["first"]),
            int(message["last"]),
            str(message["name"]),
            bool(message["needed"]),
        )
