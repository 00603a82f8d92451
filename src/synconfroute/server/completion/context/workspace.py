"""Files of the workspace that may become context, and nothing else on the disk."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from synconfroute.server.completion.context.ignored import Ignored
from synconfroute.server.completion.policy import secret_mark
from synconfroute.server.completion.text_file import read_text

MOST_BYTES = 256 * 1024
"""A longer file is not read."""
MOST_FILES = 64
"""So many files are read for one place, at most."""
MOST_LOOKS = 4_000
"""So often the disk is asked for a name, for one place, at most."""
MOST_ENTRIES = 64
"""So many files of one folder are looked at, at most."""

_IGNORE_BYTES = 64 * 1024
_LONGEST_PATH = 4096
_NEVER = frozenset((".git", ".hg", ".svn", ".jj", "node_modules", ".venv", "venv", "__pycache__"))
"""Folders that hold no code of the workspace's own, whatever `.gitignore` says."""


class Exhausted(Exception):
    """The disk was asked often enough for one place."""


@dataclass(frozen=True, slots=True)
class Located:
    """A file that may be read.

    Attributes:
        file: its path on disk, with symbolic links followed.
        path: the same below its root, with forward slashes.
    """

    file: str
    path: str


class Workspace:
    """The folders that are open. One for each place: what was found is not looked for again."""

    def __init__(self, roots: Iterable[str]) -> None:
        """`roots` are folders on disk; one that is a whole drive is none."""
        real = (os.path.realpath(root) for root in roots)
        self.roots = tuple(dict.fromkeys(root for root in real if os.path.dirname(root) != root))
        self._ignored = {root: Ignored(_reader(root)) for root in self.roots}
        self._located: dict[str, Located | None] = {}
        self._looks = 0
        self._read = 0

    def locate(self, path: str) -> Located | None:
        """The file at a path, if it may become context; it need not exist.

        None outside the roots, symbolic links followed; where the name looks like a secret's;
        where `.gitignore` leaves it out.
        """
        if path not in self._located:
            self._located[path] = None if len(path) > _LONGEST_PATH else self._locate(path)
        return self._located[path]

    def find(self, *candidates: str) -> Located | None:
        """The first of these paths that is a file that may become context.

        Raises:
            Exhausted: `MOST_LOOKS` files were looked for already.
        """
        for path in candidates:
            self._looks += 1
            if self._looks > MOST_LOOKS:
                raise Exhausted
            located = self.locate(path) if os.path.isfile(path) else None
            if located is not None:
                return located
        return None

    def listing(self, folder: str, ending: str) -> list[Located]:
        """The files of a folder whose names end so, in order, `MOST_ENTRIES` at most.

        Raises:
            Exhausted: as `find`.
        """
        if self._below_root(os.path.realpath(folder)) is None:
            return []
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry, _ in zip(entries, range(MOST_LOOKS), strict=False)]
        except OSError:
            return []
        chosen = sorted(name for name in names if name.endswith(ending))[:MOST_ENTRIES]
        found = (self.find(os.path.join(folder, name)) for name in chosen)
        return [located for located in found if located is not None]

    def above(self, file: str) -> list[str]:
        """The folders from a file's own up to its root, both included; none outside the roots."""
        folder = os.path.dirname(os.path.realpath(file))
        root = self._below_root(folder)
        if root is None:
            return []
        folders = [folder]
        while folders[-1] != root:
            folders.append(os.path.dirname(folders[-1]))
        return folders

    def read(self, located: Located) -> str | None:
        """A file's text with line feeds as line ends; None if it is too long, or no text."""
        if self._read >= MOST_FILES:
            return None
        self._read += 1
        return read_text(located.file, MOST_BYTES)

    def _locate(self, path: str) -> Located | None:
        try:
            real = os.path.realpath(path)
        except (OSError, ValueError):
            return None
        root = self._below_root(real)
        if root is None or secret_mark(path) or secret_mark(real):
            return None
        parts = tuple(os.path.relpath(real, root).split(os.sep))
        if not _NEVER.isdisjoint(parts) or parts in self._ignored[root]:
            return None
        return Located(real, "/".join(parts))

    def _below_root(self, real: str) -> str | None:
        """The innermost root that a path lies in."""
        inside = [root for root in self.roots if _lies_in(real, root)]
        return max(inside, key=len, default=None)


def _lies_in(path: str, root: str) -> bool:
    path, root = os.path.normcase(path), os.path.normcase(root)
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _reader(root: str) -> Callable[[tuple[str, ...]], str]:
    """Reads the `.gitignore` of a folder below a root."""

    def read(folder: tuple[str, ...]) -> str:
        return read_text(os.path.join(root, *folder, ".gitignore"), _IGNORE_BYTES) or ""

    return read
