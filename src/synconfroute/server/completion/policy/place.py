"""Where a document lies: what the disk says that policy asks about."""

import os
from dataclasses import dataclass

from synconfroute.server.completion.policy.folders import above
from synconfroute.server.completion.policy.ignore_files import kept_by
from synconfroute.server.completion.policy.remotes import Project, project_at

_MOST_FOLDERS = 64
"""A file in more folders than these is not looked into."""


@dataclass(frozen=True, slots=True)
class View:
    """A document under one of its names: as it was opened, or with symbolic links followed.

    Attributes:
        path: that name, absolute.
        projects: the repositories that it lies in, the nearest first; without one, the drive.
    """

    path: str
    projects: tuple[Project, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of where a document lies.

    Attributes:
        kept: why an ignore file, or the lack of knowledge about them, keeps it here; "" if nothing.
        views: its names.
        bytes_on_disk: size of the file, 0 where it is not saved.
        home: the user's home folder.
    """

    kept: str = ""
    views: tuple[View, ...] = ()
    bytes_on_disk: int = 0
    home: str = ""


def look(path: str, real_path: str) -> Place:
    """Ask the disk about a document. So often as it has folders above it, `_MOST_FOLDERS` at most.

    What small files say is remembered until they change.
    """
    views = []
    for name in dict.fromkeys((os.path.abspath(path), real_path)):
        folders = above(name)
        if len(folders) > _MOST_FOLDERS:
            return Place(kept="The file lies too deep in folders to be looked at; it stays here.")
        found = [project for project in map(project_at, folders) if project is not None]
        projects = tuple(found) or (Project(folders[-1]),)
        for folder in folders:
            kept = kept_by(name, folder, projects[-1].root if found else folder)
            if kept:
                return Place(kept=kept)
        views.append(View(name, projects))
    return Place("", tuple(views), _size(real_path), os.path.expanduser("~"))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
