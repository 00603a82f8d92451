"""Which files of the workspace a file takes definitions from, by the rules of its language.

Imports are read line by line, not parsed: the file is being written, and often does not parse.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Workspace

_READERS = {
    "c": "c",
    "cpp": "c",
    "go": "go",
    "java": "java",
    "javascript": "javascript",
    "javascriptreact": "javascript",
    "python": "python",
    "rust": "rust",
    "typescript": "javascript",
    "typescriptreact": "javascript",
}

_Reader = Callable[[str, str, Workspace], Iterator[Imported]]


def imports(language: str, text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What a file imports from the workspace, in the order in which it says so.

    Args:
        language: LSP language id.
        text: of the file.
        file: its path on disk.
        workspace: where other files are looked for.

    Raises:
        Exhausted: while it goes on; the disk was asked often enough.
    """
    name = _READERS.get(language)
    if name is None:
        return iter(())
    module = import_module(f"synconfroute.server.completion.context.imports.{name}")
    return cast(_Reader, module.imports)(text, file, workspace)
