"""What small files come to, read anew only where they changed."""

import os
from collections.abc import Callable
from typing import Generic, TypeVar

from synconfroute.server.completion.text_file import read_text

_MOST_FILES = 512

Meaning = TypeVar("Meaning")


class Remembered(Generic[Meaning]):
    """Files by path. Each question costs one look at the file's stamp."""

    def __init__(self, parse: Callable[[str | None], Meaning], most_bytes: int) -> None:
        """Remember nothing yet.

        Args:
            parse: makes of a file's text what is remembered; None: it is no text, is longer than
                `most_bytes`, or cannot be read.
            most_bytes: of one file.
        """
        self._parse = parse
        self._most_bytes = most_bytes
        self._known: dict[str, tuple[tuple[int, ...], Meaning]] = {}

    def of(self, path: str) -> Meaning | None:
        """What the file at a path, no symbolic link, comes to; None where there is none."""
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError):
            return self._parse(None)
        stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        meaning = self._parse(read_text(path, self._most_bytes))
        if len(self._known) >= _MOST_FILES:
            self._known.clear()
        self._known[path] = (stamp, meaning)
        return meaning
