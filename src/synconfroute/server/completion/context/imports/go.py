"""Imports of Go from the file's own module, and the other files of its package."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Workspace

_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_BLOCK = re.compile(r"^import[ \t]*\(([^()]{0,8000})\)", re.MULTILINE)
_LINE = re.compile(r"^import[ \t]+[^\n(]*", re.MULTILINE)
_PATH = re.compile(r"\"([^\"\n]+)\"")


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """The packages that a file imports from its own module; then its own package."""
    listed = "\n".join((*_LINE.findall(text), *_BLOCK.findall(text)))
    module, top = _own_module(file, workspace)
    for path in _PATH.findall(listed):
        if module and (path == module or path.startswith(module + "/")):
            parts = path.removeprefix(module).strip("/").split("/")
            yield from _package(os.path.join(top, *parts), file, workspace)
    yield from _package(os.path.dirname(file), file, workspace)


def _own_module(file: str, workspace: Workspace) -> tuple[str, str]:
    """The name of the file's module, and its folder; both "" where it has none."""
    for folder in workspace.above(file):
        found = workspace.find(os.path.join(folder, "go.mod"))
        if found is not None:
            name = _MODULE.search(workspace.read(found) or "")
            return (name[1], folder) if name else ("", "")
    return "", ""


def _package(folder: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """The files of a package, without tests and the file itself."""
    own = os.path.realpath(file)
    for located in workspace.listing(folder, ".go"):
        if located.file != own and not located.path.endswith("_test.go"):
            yield Imported(located)
