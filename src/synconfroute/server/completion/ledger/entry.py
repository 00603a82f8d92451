"""What the ledger says of a request."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Entry:
    """What is about to leave. Holds no source code.

    Attributes:
        path: the file whose text leaves.
        language: its LSP language id.
        bytes: size of the prompt in UTF-8 bytes.
        server: address it goes to; a name, key or query in it is not written.
        model: the model that is asked.
        reason: why it is sent, such as "low_confidence".
        request_id: joins the line with the answer's provenance.
        context_files: other files of which pieces were given for the prompt, and which `bytes`
            counts as far as they fitted in.
        context_bytes: size of all these pieces in UTF-8 bytes.
        tier: who is asked.
        redacted: so many texts that looked like secrets were replaced in the prompt.
    """

    path: str
    language: str
    bytes: int
    server: str
    model: str
    reason: str
    request_id: str
    context_files: tuple[str, ...] = ()
    context_bytes: int = 0
    tier: str = "org"
    redacted: int = 0


def fields_of(entry: Entry, *, hashed: bool) -> dict[str, Any]:
    """The members of an entry's line; `hashed`: with a digest in place of each path."""
    name = hashed_path if hashed else str
    members = asdict(entry) | {
        "path": name(entry.path),
        "context_files": [name(file) for file in entry.context_files],
        "server": _bare(entry.server),
    }
    return members if entry.redacted else {k: v for k, v in members.items() if k != "redacted"}


def hashed_path(path: str) -> str:
    """A path's SHA-256: whoever knows the path finds its lines, nobody reads it off them."""
    return "sha256:" + hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()


def _bare(address: str) -> str:
    """The address without name, key and query."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "unreadable"
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else host + parts.path
