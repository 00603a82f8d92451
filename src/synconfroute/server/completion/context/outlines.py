"""Definitions of files, read once for each state of a file."""

import os
from collections import OrderedDict
from collections.abc import Mapping

from synconfroute.server.completion.context.definitions import definitions
from synconfroute.server.completion.context.definitions.definition import Definition
from synconfroute.server.completion.context.workspace import Located, Workspace

MOST_OUTLINES = 400
"""Of so many files the definitions are kept; those that were not used for longest go first."""

_LANGUAGES = {
    ".cjs": "javascript",
    ".cts": "typescript",
    ".go": "go",
    ".java": "java",
    ".js": "javascript",
    ".jsx": "javascriptreact",
    ".mjs": "javascript",
    ".mts": "typescript",
    ".py": "python",
    ".pyi": "python",
    ".rs": "rust",
    ".ts": "typescript",
    ".tsx": "typescriptreact",
}
"""By the name's ending; others, such as `.h`, have the language of the file that includes them."""

_State = tuple[object, ...]


class Outlines:
    """What files define. One for the life of a process."""

    def __init__(self) -> None:
        """Know no file yet."""
        self._known: OrderedDict[tuple[str, str], tuple[_State, list[Definition]]] = OrderedDict()

    def __len__(self) -> int:
        """Of how many files the definitions are kept."""
        return len(self._known)

    def of(
        self, located: Located, language: str, workspace: Workspace, shown: Mapping[str, str]
    ) -> list[Definition]:
        """The definitions of a file; as the editor shows it, where it does.

        Args:
            located: the file.
            language: of the file that uses it.
            workspace: reads it.
            shown: texts of open documents, by their path on disk.
        """
        key = located.file, language_of(located.path, language)
        state = _state(located, shown)
        if key not in self._known or self._known[key][0] != state:
            text = text_of(located, workspace, shown)
            self._known[key] = state, definitions(key[1], text)
        self._known.move_to_end(key)
        while len(self._known) > MOST_OUTLINES:
            self._known.popitem(last=False)
        return self._known[key][1]


def text_of(located: Located, workspace: Workspace, shown: Mapping[str, str]) -> str:
    """A file's text, as the editor shows it where it does; "" where there is none to read."""
    text = shown.get(located.file)
    return (workspace.read(located) or "") if text is None else text


def language_of(path: str, asking: str) -> str:
    """The LSP language id of a file that a file of the language `asking` uses."""
    return _LANGUAGES.get(os.path.splitext(path)[1], asking)


def _state(located: Located, shown: Mapping[str, str]) -> _State:
    if located.file in shown:
        return ("shown", hash(shown[located.file]))
    try:
        found = os.stat(located.file)
    except OSError:
        return ("gone",)
    return ("stored", found.st_mtime_ns, found.st_size)
