"""Where a repository comes from: the remotes in its configuration, read without running git."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from synconfroute.server.completion.policy.remembered import Remembered
from synconfroute.server.completion.text_file import read_text

_CONFIG_BYTES = 256 * 1024
_POINTER_BYTES = 8 * 1024
_MOST_REMOTES = 100
_OTHER_SYSTEMS = (".hg", ".svn", ".jj")

_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:\\.|[^"\\])*)")?\s*\]\s*(.*)')
_ENTRY = re.compile(r"(url|pushurl)\s*=\s*(.*)", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCP = re.compile(r"(?:[^/:@]+@)?(\[[^\]/]+\]|[^/:@]{2,}):(.*)")
"""`git@host:path`; one letter before the colon is a drive of Windows."""


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that a version control system keeps.

    Attributes:
        root: its path.
        remotes: where it comes from, such as "github.com/acme/app"; None where that cannot be told.
    """

    root: str
    remotes: tuple[str, ...] | None = ()


def project_at(folder: str) -> Project | None:
    """The repository whose root this folder is, or None."""
    mark = os.path.join(folder, ".git")
    if os.path.lexists(mark):
        config = _config_of(mark)
        known = None if config is None else _CONFIGS.of(config)
        return Project(folder, None if known is None else known.remotes)
    if any(os.path.lexists(os.path.join(folder, name)) for name in _OTHER_SYSTEMS):
        return Project(folder, None)
    return None


def plain_remote(url: str) -> str:
    """A remote's address as host and path: no scheme, user, password, port and `.git`.

    `https://me:key@GitHub.com:443/acme/app.git` and `git@github.com:acme/app` are the same.
    """
    text = url.strip().replace("\\", "/")
    scheme = _SCHEME.match(text)
    if scheme is not None:
        authority, _, path = text[scheme.end() :].partition("/")
        host = re.sub(r":[0-9]*\Z", "", authority.rpartition("@")[2])
    elif (short := _SCP.fullmatch(text)) is not None:
        host, path = short[1], short[2]
    else:
        host, path = "", text
    path = path.strip("/").removesuffix(".git")
    return f"{host}/{path}".casefold().strip("/")


def _config_of(mark: str) -> str | None:
    """The configuration file of a `.git`: a folder, or a file that names one (worktree, submodule).

    None where it leads nowhere.
    """
    folder = os.path.realpath(mark)
    if not os.path.isdir(folder):
        pointer = read_text(folder, _POINTER_BYTES)
        if pointer is None or not pointer.startswith("gitdir:"):
            return None
        named = pointer.removeprefix("gitdir:").strip()
        folder = os.path.realpath(os.path.join(os.path.dirname(mark), named))
        shared = os.path.join(folder, "commondir")  # of a worktree
        if os.path.lexists(shared):
            common = read_text(os.path.realpath(shared), _POINTER_BYTES)
            if common is None:
                return None
            folder = os.path.realpath(os.path.join(folder, common.strip()))
    return os.path.realpath(os.path.join(folder, "config"))


@dataclass(frozen=True, slots=True)
class _Config:
    remotes: tuple[str, ...] | None


def _read_config(text: str | None) -> _Config:
    if text is None:
        return _Config(None)
    remotes: list[str] = []
    section = ""
    for line in _lines(text):
        if line.startswith("["):
            heading = _SECTION.fullmatch(line)
            section = "" if heading is None else heading[1].lower()
            if heading is None or section in {"include", "includeif"}:
                return _Config(None)  # what it means stands elsewhere
            line = heading[3]  # noqa: PLW2901 - an entry may stand behind its heading
        entry = _ENTRY.fullmatch(line) if section == "remote" else None
        if entry is not None:
            remotes.append(plain_remote(_value(entry[2])))
        if len(remotes) > _MOST_REMOTES:
            return _Config(None)
    return _Config(tuple(dict.fromkeys(remotes)))


def _lines(text: str) -> Iterator[str]:
    """Lines without white space around; one that ends in a backslash goes on."""
    begun = ""
    for line in text.split("\n"):
        if line.endswith("\\"):
            begun += line[:-1]
            continue
        yield (begun + line).strip()
        begun = ""
    yield begun.strip()


def _value(written: str) -> str:
    """What stands behind the equals sign, without comment, quotes and backslashes."""
    value, quoted, escaped = "", False, False
    for character in written:
        if escaped:
            value, escaped = value + character, False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            value += character
    return value.strip()


_CONFIGS = Remembered(_read_config, _CONFIG_BYTES)
