"""What a file of Rust uses of its own crate, and the modules that it declares."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Located, Workspace

_USE = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?use[ \t]+([^;]{1,4000});", re.MULTILINE)
_MOD = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", re.MULTILINE)
_WORD = re.compile(r"\w+|\*")
_DEEPEST = 8
_HEADS = ("mod.rs", "lib.rs", "main.rs")
"""Files whose modules lie beside them; those of others lie in a folder of their name."""

_Path = tuple[tuple[str, ...], str]
"""Segments, the last being what is used, and its name here."""


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What stands behind `use crate::`, `self::` and `super::`, then behind `mod`."""
    source = _source_folder(file, workspace)
    for use in _USE.findall(text):
        for segments, local in _paths(use):
            found = _resolved(segments, file, source, workspace)
            if found is None:
                continue
            owner, rest = found
            yield Imported(owner, ((rest[0], local),) if rest and rest[0] != "*" else None)
    for name in _MOD.findall(text):
        child = _module(_children(file), [name], workspace)
        if child is not None:
            yield Imported(child)


def _paths(tree: str, head: tuple[str, ...] = (), depth: int = 0) -> Iterator[_Path]:
    """The paths of a use tree: `a::{b as c, d::*}` is `a::b` named c, and `a::d::*`."""
    before, brace, inside = tree.partition("{")
    words = tuple(_WORD.findall(before))
    if brace:
        for part in _parts(inside) if depth < _DEEPEST else ():
            yield from _paths(part, (*head, *words), depth + 1)
    elif head and words == ("self",):
        yield head, head[-1]
    elif len(words) > 2 and words[-2] == "as":
        yield (*head, *words[:-2]), words[-1]
    elif words:
        yield (*head, *words), words[-1]


def _parts(inside: str) -> Iterator[str]:
    """What stands between the commas of a group, as far as the brace that closes it."""
    depth, start = 0, 0
    for at, character in enumerate(inside):
        if character == "{":
            depth += 1
        elif character == "}" and depth:
            depth -= 1
        elif not depth and character in ",}":
            yield inside[start:at]
            start = at + 1
            if character == "}":
                return
    yield inside[start:]


def _resolved(
    segments: tuple[str, ...], file: str, source: str, workspace: Workspace
) -> tuple[Located, tuple[str, ...]] | None:
    """The file of the longest module that a path begins with, and what is left of the path."""
    first, rest = segments[0], segments[1:]
    if first == "crate":
        base = source
    elif first == "self":
        base = _children(file)
    elif first == "super":
        base = os.path.dirname(_children(file))
    else:
        return None
    while rest and rest[0] == "super":
        base, rest = os.path.dirname(base), rest[1:]
    for end in range(len(rest), 0, -1):
        located = _module(base, list(rest[:end]), workspace)
        if located is not None:
            return located, rest[end:]
    owner = workspace.find(*(os.path.join(base, head) for head in _HEADS), base + ".rs")
    return None if owner is None else (owner, rest)


def _module(base: str, parts: list[str], workspace: Workspace) -> Located | None:
    path = os.path.join(base, *parts)
    return workspace.find(path + ".rs", os.path.join(path, "mod.rs"))


def _children(file: str) -> str:
    """The folder in which a file's modules lie."""
    folder, name = os.path.split(file)
    return folder if name in _HEADS else os.path.join(folder, name.removesuffix(".rs"))


def _source_folder(file: str, workspace: Workspace) -> str:
    """The src folder of the crate, else the file's own folder."""
    for folder in workspace.above(file):
        if os.path.isfile(os.path.join(folder, "Cargo.toml")):
            return os.path.join(folder, "src")
    return os.path.dirname(file)
