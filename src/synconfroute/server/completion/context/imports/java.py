"""Imports of Java, and the classes of a file's own package that it names."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Workspace

_PACKAGE = re.compile(r"^[ \t]*package[ \t]+([\w.]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(static[ \t]+)?([\w.]+)(\.\*)?[ \t]*;", re.MULTILINE)
_TYPE = re.compile(r"\b[A-Z]\w*")
_SOURCES = ("", "src", "src/main/java", "src/test/java", "app/src/main/java")
_MOST_TYPES = 200


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What a file imports; then what it names of its own package and of those it imports whole."""
    bases = _bases(text, file, workspace)
    whole = []
    for static, name, star in _IMPORT.findall(text):
        parts = name.split(".")
        if star and not static:
            whole.append(parts)
        else:
            # A nested class, or a static member, lies in the file of what is before it.
            yield from _first(bases, [parts[:end] for end in range(len(parts), 0, -1)], workspace)
    own = _PACKAGE.search(text)
    packages = [own[1].split(".") if own else [], *whole]
    for name in list(dict.fromkeys(_TYPE.findall(text)))[:_MOST_TYPES]:
        if name != os.path.basename(file).removesuffix(".java"):
            yield from _first(bases, [[*package, name] for package in packages], workspace)


def _first(bases: list[str], classes: list[list[str]], workspace: Workspace) -> Iterator[Imported]:
    """The first of these classes that has a file."""
    paths = (os.path.join(base, *parts) + ".java" for parts in classes for base in bases)
    source = workspace.find(*paths)
    if source is not None:
        yield Imported(source)


def _bases(text: str, file: str, workspace: Workspace) -> list[str]:
    """The folders that packages lie in: the file's own first."""
    found = []
    folder = os.path.dirname(file)
    package = _PACKAGE.search(text)
    ending = package[1].split(".") if package else []
    if folder.replace("\\", "/").split("/")[-len(ending) :] == ending or not ending:
        for _ in ending:
            folder = os.path.dirname(folder)
        found.append(folder)
    for root in workspace.above(file)[-1:]:
        found += [os.path.join(root, *source.split("/")) for source in _SOURCES]
    return list(dict.fromkeys(found))
