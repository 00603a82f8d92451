"""`.synconfrouteignore`: files that stay here, in the words of a `.gitignore`.

Read are those of all folders above a file. Each is judged alone: a `!` takes back what the same
file leaves out, never what another one does, so that no folder can loosen what one above it says.
One that cannot be read keeps all files below it here: nobody knows what it forbids.
"""

import os

from synconfroute.server.completion.context.ignored import Ignored
from synconfroute.server.completion.policy.folders import lies_in, parts_below, plain
from synconfroute.server.completion.policy.remembered import Remembered

NAME = ".synconfrouteignore"
_MOST_BYTES = 64 * 1024
_MOST_LINES = 500
_MOST_KNOWN = 1_000


class _Rules:
    """Of one file, and what they said about paths before; those of a huge file take a while."""

    def __init__(self, ignored: Ignored | None) -> None:
        """`ignored` is None where the file cannot be read."""
        self.readable = ignored is not None
        self._ignored = ignored
        self._known: dict[tuple[str, ...], bool] = {}

    def __contains__(self, parts: tuple[str, ...]) -> bool:
        """True if the path with these parts below the file's folder is left out."""
        if parts not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[parts] = self._ignored is None or parts in self._ignored
        return self._known[parts]


def kept_by(path: str, folder: str, workspace: str) -> str:
    """Why the ignore file of a folder keeps a file below it here, in one sentence, or "".

    Args:
        path: the file.
        folder: one above it.
        workspace: a link that leads out of this folder is not followed.
    """
    file = os.path.join(folder, NAME)
    link = os.path.islink(file)
    if link:
        target = os.path.realpath(file)
        if not lies_in(target, workspace):
            return (
                f"{file} is a link that leads out of the workspace and is not read, so what lies"
                " beside and below it stays here: put the file itself there."
            )
        file = target
    rules = _FILES.of(file)
    if rules is None and not link:
        return ""
    if rules is None or not rules.readable:
        return (
            f"{file} cannot be read (nothing, no text, over {_MOST_BYTES // 1024} kB, or more than"
            f" {_MOST_LINES} lines), so what lies beside and below it stays here: mend it."
        )
    if parts_below(path, folder) in rules:
        return f"{file} says that this file stays on this machine."
    return ""


def _parse(text: str | None) -> _Rules:
    if text is None or text.count("\n") >= _MOST_LINES:
        return _Rules(None)
    lines = plain(text)
    return _Rules(Ignored(lambda folder: "" if folder else lines))


_FILES = Remembered(_parse, _MOST_BYTES)
