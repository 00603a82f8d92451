"""Includes of C and C++ that lie in the workspace."""

import os
import re
from collections.abc import Iterator

from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.workspace import Workspace

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
_HEADERS = ("", "include", "src", "inc")
"""Where below a folder headers usually lie."""


def imports(text: str, file: str, workspace: Workspace) -> Iterator[Imported]:
    """What a file includes: by quotes first beside it, else below the folders above it."""
    above = workspace.above(file)
    folders = list(dict.fromkeys(os.path.join(base, part) for base in above for part in _HEADERS))
    for quoted, bracketed in _INCLUDE.findall(text):
        places = folders[:1] + folders[1:] if quoted else folders[1:]
        source = workspace.find(*(os.path.join(place, quoted or bracketed) for place in places))
        if source is not None:
            yield Imported(source)
