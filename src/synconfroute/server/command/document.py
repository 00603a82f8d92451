"""A file, or a text on stdin, as the commands read it."""

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import DocumentError
from synconfroute.server.command.position import Position, offset_of
from synconfroute.server.completion.hole import Hole

_MOST_BYTES = 10_000_000
# What the validators take as a whole; of anything larger the model sees a window anyway.
_WHOLE_CHARACTERS = 1_000_000
_WINDOW_CHARACTERS = 64_000


@dataclass(frozen=True, slots=True)
class Document:
    r"""A text with its name.

    Attributes:
        name: as the user gave it.
        path: absolute.
        language: LSP language id.
        text: with line ends as "\n".
    """

    name: str
    path: str
    language: str
    text: str

    def hole(self, position: Position) -> Hole:
        """The hole at a position, for a completion; a window around it where the text is long.

        Raises:
            DocumentError: there is no such position.
        """
        offset = offset_of(position, self.text, self.name)
        prefix, suffix = self.text[:offset], self.text[offset:]
        whole = len(self.text) <= _WHOLE_CHARACTERS
        if not whole:
            prefix = prefix[-_WINDOW_CHARACTERS:]
            suffix = suffix[:_WINDOW_CHARACTERS]
        return Hole(
            language=self.language,
            prefix=prefix,
            suffix=suffix,
            path=self.path,
            uri=Path(self.path).as_uri(),
            whole=whole,
            explicit=True,
        )


def read_document(name: str, language: str, *, from_stdin: bool = False) -> Document:
    """Read the file `name`, or stdin in its stead.

    Raises:
        DocumentError: missing, not a file, unreadable, binary, not UTF-8, or over 10 MB.
    """
    try:
        data = _stdin() if from_stdin else _file(name)
        path = os.path.abspath(name)
    except (OSError, ValueError) as error:
        raise DocumentError(f"{name} cannot be read: {_reason(error)}.") from None
    if len(data) > _MOST_BYTES:
        raise DocumentError(f"{name} is too long: over 10 MB nothing is completed or judged.")
    if b"\0" in data:
        raise DocumentError(f"{name} is a binary file.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{name} is not UTF-8 text: byte {error.start + 1} does not fit."
        ) from None
    return Document(name, path, language, text.replace("\r\n", "\n").replace("\r", "\n"))


def _file(name: str) -> bytes:
    with open(name, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is not a regular file")
        return file.read(_MOST_BYTES + 1)


def _without_waiting(path: str, flags: int) -> int:
    """Open without waiting for the other end of a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _stdin() -> bytes:
    if sys.stdin is None:
        raise ValueError("stdin is closed")
    return sys.stdin.buffer.read(_MOST_BYTES + 1)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)
