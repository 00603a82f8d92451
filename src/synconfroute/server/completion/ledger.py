"""The ledger: one line for everything that leaves the machine, written before it leaves.

A line is handed to the operating system in one write before the request is sent: it survives the
death of this process (kill -9), not a power cut in the following seconds; an fsync for each
request would add milliseconds to hundreds of them. Each process writes a file of its own.
"""

import errno
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from synconfroute.errors import LedgerError
from synconfroute.server.places import ledger_folder


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


def _now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """This process's file in the ledger's folder; made at the first entry."""

    def __init__(self, folder: Path | None = None, now: Callable[[], datetime] = _now) -> None:
        self._now = now
        name = f"{now():%Y%m%dT%H%M%SZ}-{os.getpid()}-{secrets.token_hex(4)}.jsonl"
        self._file = (folder or ledger_folder()) / name

    @property
    def file(self) -> Path:
        """Where this process writes."""
        return self._file

    def record(self, entry: Entry) -> None:
        """Write the line. Only after this returns may the request be sent.

        Raises:
            LedgerError: the line could not be written; nothing may leave.
        """
        stamp = self._now().astimezone(UTC).isoformat(timespec="milliseconds")
        fields = asdict(entry) | {"server": _bare(entry.server)}
        line = json.dumps({"time": stamp.replace("+00:00", "Z"), "event": "sent", **fields})
        try:
            _append(self._file, line.encode("ascii") + b"\n")
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None

    def require_writable(self) -> None:
        """Try the folder without leaving a trace in it.

        Raises:
            LedgerError: a line could not be written now.
        """
        trial = self._file.with_suffix(".trial")
        try:
            _append(trial, b"\n")
            trial.unlink()
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: Exception) -> LedgerError:
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else "the path is not usable"
        return LedgerError(
            f"The ledger in {self._file.parent} cannot be written ({reason}), so nothing leaves"
            " this machine: free or mend that folder."
        )


def _append(file: Path, line: bytes) -> None:
    """Write all of the line or none of it."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(file, flags, 0o600)
    try:
        before = os.fstat(descriptor).st_size
        if os.write(descriptor, line) != len(line):
            os.ftruncate(descriptor, before)
            raise OSError(errno.ENOSPC, "half a line went through")
    finally:
        os.close(descriptor)


def _bare(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "unreadable"
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else host + parts.path
