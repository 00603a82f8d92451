"""What the reader's process is asked: where the cursor is, and what the editor shows elsewhere."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Shown:
    """A document that is open beside the one being completed.

    Attributes:
        path: where it lies.
        text: as the editor shows it.
        edits: first and last line of what was changed in it, counted from 0, the newest first.
    """

    path: str
    text: str
    edits: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A place, and what may help there.

    Attributes:
        language: LSP language id.
        path: of the file.
        prefix: its text before the cursor.
        suffix: its text after it.
        roots: the folders that are open.
        shown: other open documents, the one that was used last first.
    """

    language: str
    path: str
    prefix: str
    suffix: str
    roots: tuple[str, ...]
    shown: tuple[Shown, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """All of it, for a message."""
        return asdict(self)

    @classmethod
    def of_json(cls, message: Mapping[str, Any]) -> Self:
        """Read it from a message.

        Raises:
            KeyError: something is missing.
        """
        shown = tuple(
            Shown(each["path"], each["text"], tuple((first, last) for first, last in each["edits"]))
            for each in message["shown"]
        )
        return cls(
            message["language"],
            message["path"],
            message["prefix"],
            message["suffix"],
            tuple(message["roots"]),
            shown,
        )
