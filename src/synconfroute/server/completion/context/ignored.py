"""What `.gitignore` files leave out, read here: git itself would run what a repository configures.

Read are the `.gitignore` files from the workspace's root down to a file's folder (gitignore(5):
comments, `!`, anchors, closing slashes, `*`, `?`, `[…]`, `**`, backslashes); not the user's own
excludes, and none above the root.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

_MOST_RULES = 2_000
"""Of one file; what follows is not read."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a `.gitignore`.

    Attributes:
        segments: the pattern between its slashes; "**" stands for any number of folders.
        folders_only: the line ends in a slash.
        takes_back: the line begins with "!".
    """

    segments: tuple[str, ...]
    folders_only: bool
    takes_back: bool

    def matches(self, parts: tuple[str, ...], *, folder: bool) -> bool:
        """Does it name this path, given by its parts below the rule's own folder?"""
        return (folder or not self.folders_only) and _matches(self.segments, parts)


class Ignored:
    """What one workspace leaves out."""

    def __init__(self, read: Callable[[tuple[str, ...]], str]) -> None:
        """`read` gives the `.gitignore` of a folder, named by its parts below the root, or ""."""
        self._read = read
        self._rules: dict[tuple[str, ...], tuple[Rule, ...]] = {}

    def __contains__(self, parts: tuple[str, ...]) -> bool:
        """True if the file at these parts below the root, or a folder above it, is left out."""
        return any(
            self._excluded(parts[:depth], folder=depth < len(parts))
            for depth in range(1, len(parts) + 1)
        )

    def _excluded(self, parts: tuple[str, ...], *, folder: bool) -> bool:
        """The last rule that matches decides, the nearest file's before those above it."""
        for depth in range(len(parts) - 1, -1, -1):
            for rule in reversed(self._of(parts[:depth])):
                if rule.matches(parts[depth:], folder=folder):
                    return not rule.takes_back
        return False

    def _of(self, folder: tuple[str, ...]) -> tuple[Rule, ...]:
        if folder not in self._rules:
            self._rules[folder] = rules(self._read(folder).splitlines())
        return self._rules[folder]


def rules(lines: Iterable[str]) -> tuple[Rule, ...]:
    """The rules of a `.gitignore`'s lines, in order."""
    found: list[Rule] = []
    for line in lines:
        rule = _rule(line)
        if rule is not None:
            found.append(rule)
        if len(found) == _MOST_RULES:
            break
    return tuple(found)


def _rule(line: str) -> Rule | None:
    pattern = line if line.endswith("\\ ") else line.rstrip(" ")
    if not pattern or pattern.startswith("#"):
        return None
    takes_back = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    if not pattern:
        return None
    anchored = "/" in pattern
    segments = tuple(map(_unescaped, pattern.removeprefix("/").split("/")))
    return Rule(segments if anchored else ("**", *segments), folders_only, takes_back)


def _unescaped(segment: str) -> str:
    r"""A segment as fnmatch reads it, which knows no backslashes: "\*" becomes "[*]"."""
    first, *rest = segment.split("\\")
    pieces = (f"[{piece[0]}]{piece[1:]}" if piece[0] in "*?[" else piece for piece in rest if piece)
    return first + "".join(pieces)


def _matches(segments: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Walks the path once, with every place in the pattern that it may stand at."""
    places = _with_skips({0}, segments)
    for part in parts:
        reached: set[int] = set()
        for place in places:
            if place == len(segments):
                continue
            if segments[place] == "**":
                reached.update((place, place + 1) if place == len(segments) - 1 else (place,))
            elif fnmatchcase(part, segments[place]):
                reached.add(place + 1)
        places = _with_skips(reached, segments)
    return len(segments) in places


def _with_skips(places: set[int], segments: tuple[str, ...]) -> set[int]:
    """The places, and those behind a "**" that stands for no folder; a closing one needs one."""
    all_places = set(places)
    for place in sorted(places):
        while place < len(segments) - 1 and segments[place] == "**":
            place += 1  # noqa: PLW2901 - walks on from each place
            all_places.add(place)
    return all_places
