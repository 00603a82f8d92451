"""Relative imports of JavaScript and TypeScript, by import, export … from and require."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Located, Workspace

_FROM = re.compile(
    r"^[ \t]*(?:import|export)\b(?P<what>[^;'\"`]{0,2000}?)\bfrom[ \t]*['\"](?P<path>\.[^'\"\n]*)",
    re.MULTILINE,
)
_REQUIRE = re.compile(
    r"\b(?:const|let|var)\s+(?P<what>[\w$]+|\{[^{}]{0,2000}\})\s*=\s*"
    r"require\(\s*['\"](?P<path>\.[^'\"\n]*)"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
_ITEM = re.compile(r"(?:\btype\s+)?([\w$]+)(?:\s+as\s+([\w$]+)|\s*:\s*([\w$]+))?")
_ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_WRITTEN = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""TypeScript imports by the ending that the compiled file will have."""


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What a module imports by a relative path; a default import gives all of the other module."""
    for match in (*_FROM.finditer(text), *_REQUIRE.finditer(text)):
        source = _module(os.path.join(os.path.dirname(file), match["path"]), workspace)
        if source is not None:
            yield Imported(source, _names(match["what"]))


def _names(what: str) -> tuple[tuple[str, str], ...] | None:
    """The names between braces; None where something else than these is taken."""
    inside = _BRACES.search(what)
    outside = _BRACES.sub("", what).replace("type", "", 1).strip(" \t\n,")
    if inside is None or outside:
        return None
    items = _ITEM.findall(inside[1])
    return tuple((name, renamed or bound or name) for name, renamed, bound in items)


def _module(path: str, workspace: Workspace) -> Located | None:
    """The file of a path without its ending, or with the one that it will have."""
    stem, ending = os.path.splitext(path)
    written = [stem + each for each in _WRITTEN.get(ending, ())]
    inside = [os.path.join(path, "index" + each) for each in _ENDINGS]
    return workspace.find(*written, path, *(path + each for each in _ENDINGS), *inside)
