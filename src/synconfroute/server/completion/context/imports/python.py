"""Imports of Python, absolute and relative, from packages in the workspace and under its src/."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Located, Workspace

_FROM = re.compile(
    r"^[ \t]*from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]*(?:\((?P<many>[^()]{0,4000})\)?"
    r"|(?P<few>[^\n#;(]+))",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?P<modules>[\w. \t,]+)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_ITEM = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_SOURCES = ("", "src", "lib", "python")
"""Where below a root packages usually lie."""


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What a module imports; `from package import module` gives that module."""
    finder = _Finder(file, workspace)
    for match in _FROM.finditer(text):
        listed = _COMMENT.sub("", match["many"] or match["few"] or "")
        items = [(name, local or name) for name, local in _ITEM.findall(listed)]
        yield from _from(match["module"], items, finder)
    for match in _IMPORT.finditer(text):
        for name in match["modules"].split(","):
            source = finder.module(name.split(" as ")[0].strip())
            if source is not None:
                yield Imported(source)


def _from(module: str, items: list[tuple[str, str]], finder: "_Finder") -> Iterator[Imported]:
    source = finder.module(module)
    if source is not None:
        yield Imported(source, tuple(items))
        if not os.path.basename(source.file).startswith("__init__."):
            return
    package = module if module.endswith(".") else f"{module}."
    for name, _ in items:
        submodule = finder.module(package + name)
        if submodule is not None:
            yield Imported(submodule)


class _Finder:
    """Finds modules as seen from one file."""

    def __init__(self, file: str, workspace: Workspace) -> None:
        self._workspace = workspace
        self._folder = os.path.dirname(file)
        above = workspace.above(file)
        roots = [os.path.join(root, source) for root in above[-1:] for source in _SOURCES]
        # A script finds what lies beside it; a nested project has its packages above the file.
        self._bases = tuple(dict.fromkeys((*roots, *reversed(above))))

    def module(self, name: str) -> Located | None:
        """The file of a module, a package's being its `__init__.py`."""
        dots = len(name) - len(name.lstrip("."))
        parts = [part for part in name[dots:].split(".") if part]
        if not dots:
            return self._below(self._bases, parts) if parts else None
        base = self._folder
        for _ in range(dots - 1):
            base = os.path.dirname(base)
        return self._below((base,), parts)

    def _below(self, bases: tuple[str, ...], parts: list[str]) -> Located | None:
        for base in bases:
            path = os.path.join(base, *parts)
            files = [f"{path}.pyi", f"{path}.py"] if parts else []
            packages = [os.path.join(path, name) for name in ("__init__.pyi", "__init__.py")]
            found = self._workspace.find(*packages, *files)
            if found is not None:
                return found
        return None
