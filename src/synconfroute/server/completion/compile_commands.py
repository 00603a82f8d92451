"""What `compile_commands.json` says of a file, as far as a stranger's file may say it.

It travels with code that others wrote: a plug-in, a response file or another compiler in it would
run programs. Include paths, definitions and the language version are taken, nothing else, and
include paths only below the folder that the file stands in or where the system keeps headers.
"""

import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NAMES = ("compile_commands.json", "build/compile_commands.json")
_MOST_BYTES = 50_000_000
_MOST_FLAGS = 2_000
_SYSTEM = ("/usr/include", "/usr/lib", "/usr/local/include", "/opt")
_FOLDERS = ("-isystem", "-I")
_DEFINITION = re.compile(r"[A-Za-z_]\w*(=.*)?", re.DOTALL)
_VERSION = re.compile(r"(c|gnu)\+\+\d\w")


@dataclass(frozen=True, slots=True)
class Flags:
    """Arguments for g++, and the folders that they name.

    Attributes:
        arguments: each flag in one argument with its value, so that none can begin with "@".
        folders: where headers may be read.
    """

    arguments: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


def flags_of(path: Path) -> Flags:
    """The flags for a C++ file: of its nearest `compile_commands.json`, or none. Raises nothing.

    Args:
        path: absolute.
    """
    for folder in path.parents:
        for name in _NAMES:
            file = folder / name
            if file.is_file():
                return _read(file, folder, path)
    return Flags()


def _read(file: Path, root: Path, path: Path) -> Flags:
    try:
        if file.stat().st_size > _MOST_BYTES:
            return Flags()
        entries = json.loads(file.read_bytes())
        entry = next((each for each in entries if _is_of(each, path)), None)
        return Flags() if entry is None else _flags(entry, root.resolve())
    except (OSError, ValueError, TypeError, RecursionError):
        return Flags()


def _is_of(entry: Any, path: Path) -> bool:
    if not isinstance(entry, dict):
        return False
    named = os.path.join(str(entry.get("directory", "")), str(entry.get("file", "")))
    return os.path.normpath(named) == os.path.normpath(path)


def _flags(entry: dict[str, Any], root: Path) -> Flags:
    words = entry.get("arguments")
    if not isinstance(words, list):
        words = shlex.split(str(entry.get("command", "")))
    arguments: list[str] = []
    folders: list[Path] = []
    for flag, value in _named([str(word) for word in words[:_MOST_FLAGS]]):
        if flag not in _FOLDERS:
            arguments.append(f"{flag}{value}")
            continue
        folder = (Path(str(entry.get("directory", root))) / value).resolve()
        if _may_be_read(folder, root):
            folders.append(folder)
            arguments.append(f"{flag}{folder}")
    return Flags(tuple(arguments), tuple(folders))


def _named(words: list[str]) -> Iterator[tuple[str, str]]:
    """The flags that are taken, each with its value, whether that is joined to it or follows."""
    waiting = iter(words)
    for word in waiting:
        if word.startswith("-std="):
            if _VERSION.fullmatch(word.removeprefix("-std=")):
                yield "-std=", word.removeprefix("-std=")
            continue
        flag = next((flag for flag in (*_FOLDERS, "-D", "-U") if word.startswith(flag)), None)
        if flag is None:
            continue
        value = word.removeprefix(flag) or next(waiting, "")
        if value and (flag in _FOLDERS or _DEFINITION.fullmatch(value)):
            yield flag, value


def _may_be_read(folder: Path, root: Path) -> bool:
    allowed = (root, *map(Path, _SYSTEM))
    return folder.is_dir() and any(folder.is_relative_to(parent) for parent in allowed)
