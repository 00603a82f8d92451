"""Key material by its look alone: lines of base64 as keys and certificates are written."""

import re
from collections.abc import Iterator

from synconfroute.server.completion.secret_scan.finding import Finding

_BLOCK = re.compile(
    r"""(?:^[\ \t#/*;"'+\\]{0,16}[A-Za-z0-9+/]{60,80}
        (?:\\n|["',+\\]){0,4}[\ \t]{0,4}\r?\n){3,200}""",
    re.ASCII | re.MULTILINE | re.VERBOSE,
)
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])", re.DOTALL)


def by_look(text: str) -> Iterator[Finding]:
    """Each block of at least three such lines: a window may have cut off what names it."""
    for match in _BLOCK.finditer(text):
        if _MIXED.match(match[0]):
            yield Finding("a block of encoded key material", match.start(), match.end())
