"""Paths as policy compares them: by their parts; case counts where it does on the disk."""

import os
import sys

_ONE_CASE = sys.platform in {"win32", "darwin"}


def plain(text: str) -> str:
    """A name or pattern as it is compared."""
    return text.casefold() if _ONE_CASE else text


def lies_in(path: str, folder: str) -> bool:
    """True if a path is a folder or lies below it."""
    path, folder = plain(os.path.normcase(path)), plain(os.path.normcase(folder))
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def parts_below(path: str, folder: str) -> tuple[str, ...]:
    """The parts of a path below a folder that it lies in."""
    rest = path[len(folder) :] if lies_in(path, folder) else os.path.splitdrive(path)[1]
    return tuple(plain(part) for part in rest.split(os.sep) if part)


def above(path: str) -> list[str]:
    """The folders from a file's own up to the drive's root."""
    folders = [os.path.dirname(path)]
    while (higher := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(higher)
    return folders
