"""What one server process writes into the ledger.

A line is handed to the operating system in one write before the request is sent: it survives the
death of this process (kill -9), not a power cut in the following seconds; an fsync for each
request would add milliseconds to hundreds of them.
"""

import contextlib
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger.chain import START, linked
from synconfroute.server.completion.ledger.dropping import drop_chains
from synconfroute.server.completion.ledger.entry import Entry, fields_of
from synconfroute.server.completion.ledger.files import (
    Altered,
    append,
    chains_in,
    file_of,
    head_of,
)
from synconfroute.server.completion.ledger.head import Head, HeldHead, read_head
from synconfroute.server.places import ledger_folder
from synconfroute.server.settings.tree import Ledger as Rules

FORMAT = 1
"""Of the lines, named where a file begins."""

_SEEN = 8
"""So many other chains are named where a file begins: whoever takes one away has to change them."""
_FILES = 16
"""Into so many files, at the most, all that is kept is cut."""
_MOST_ANSWERED = 200
"""Of so many answered requests, at most, it is known that they were not shown yet."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that has its line.

    Attributes:
        number: the line's number in its chain.
        part: the file that it stands in.
        request_id: of the request.
    """

    number: int
    part: int
    request_id: str


def _now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """This process's files in the ledger's folder; made at the first entry. For any thread."""

    def __init__(
        self,
        folder: Path | None = None,
        now: Callable[[], datetime] = _now,
        rules: Rules | None = None,
    ) -> None:
        """Nothing is written yet.

        Args:
            folder: where; None: the user's own.
            now: the time, with its zone.
            rules: how paths are written, and how much is kept.
        """
        rules = rules or Rules()
        self._folder = folder or ledger_folder()
        self._now = now
        self._hashed = rules.paths == "hash"
        self._keep_bytes = rules.keep_mb * 1_000_000
        self._chain = f"{now():%Y%m%dT%H%M%SZ}-{os.getpid()}-{secrets.token_hex(4)}"
        self._part = 1
        self._size = 0
        self._number = 0
        self._hash = START
        self._head: HeldHead | None = None
        self._sizes: OrderedDict[int, int] = OrderedDict()
        self._open: dict[int, int] = {}
        self._answered: OrderedDict[str, int] = OrderedDict()
        self._untidy = False
        self._writing = threading.RLock()

    @property
    def file(self) -> Path:
        """Where this process writes now."""
        return file_of(self._folder, self._chain, self._part)

    def record(self, entry: Entry) -> Sent:
        """Write the line. Only after this returns may the request be sent.

        Raises:
            LedgerError: the line could not be written; nothing may leave.
        """
        with self._writing:
            self._write("sent", fields_of(entry, hashed=self._hashed))
            sent = Sent(self._number, self._part, entry.request_id)
            self._open[sent.number] = sent.part
            return sent

    def ended(self, sent: Sent, status: str, *, ms: float, tokens: int, model: str = "") -> None:
        """Write how a request ended, if that can be written.

        Args:
            sent: what `record` returned.
            status: "answered", "late", "cancelled", or what failed, such as "key_refused".
            ms: from its line to its end.
            tokens: so many came.
            model: which model the server says has answered, or "".
        """
        with self._writing:
            self._open.pop(sent.number, None)
            members: dict[str, Any] = {
                "of": sent.number,
                "request_id": sent.request_id,
                "status": status,
                "ms": round(ms, 1),
                "tokens": tokens,
            }
            if self._written("ended", members | ({"model": model} if model else {})):
                if status == "answered":
                    self._answered[sent.request_id] = sent.number
                while len(self._answered) > _MOST_ANSWERED:
                    self._answered.popitem(last=False)

    def shown(self, request_id: str) -> None:
        """Write that an answer which came from there was shown to the user. Counts once."""
        with self._writing:
            number = self._answered.pop(request_id, None)
            if number is not None:
                self._written("shown", {"of": number, "request_id": request_id})

    def withheld(self, entry: Entry, why: str) -> None:
        """Write that a request was decided on and not sent, if that can be written."""
        with self._writing:
            self._written("withheld", fields_of(entry, hashed=self._hashed) | {"why": why})

    def require_writable(self) -> None:
        """Try the folder without leaving a trace in it.

        Raises:
            LedgerError: a line could not be written now.
        """
        trial = self._folder / f"{self._chain}.trial"
        try:
            append(trial, b"\n", behind=0)
            trial.unlink()
        except (OSError, ValueError, Altered) as error:
            raise self._unwritable(error) from None

    @property
    def untidy(self) -> bool:
        """A file was begun since files were last dropped."""
        return self._untidy

    def tidy(self) -> None:
        """Drop the oldest files where there is too much. Raises nothing; may take a moment.

        No line of a request that has not ended is ever dropped, nor a file that another living
        process writes.
        """
        self._untidy = False
        with contextlib.suppress(OSError, LedgerError):
            self._drop_own()
            drop_chains(self._folder, self._keep_bytes, self._chain, self._note_dropped)

    def close(self) -> None:
        """Let go of the files. A later line opens them again."""
        with self._writing:
            self._let_go()

    def _note_dropped(self, before: str) -> None:
        self._write("dropped", {"chains_before": before})

    def _drop_own(self) -> None:
        """Drop this chain's oldest files beyond half of what is kept."""
        with self._writing:
            too_old: list[int] = []
            kept = sum(self._sizes.values())
            for part, size in self._sizes.items():
                if kept <= self._keep_bytes // 2 or part in self._open.values():
                    break
                if part == self._part:
                    break
                too_old.append(part)
                kept -= size
            if too_old:
                self._write("dropped", {"parts_before": too_old[-1] + 1})
            for part in too_old:
                file_of(self._folder, self._chain, part).unlink(missing_ok=True)
                del self._sizes[part]

    def _written(self, event: str, members: dict[str, Any]) -> bool:
        """Write a line that nothing waits for."""
        try:
            self._write(event, members)
        except LedgerError:
            return False
        return True

    def _write(self, event: str, members: dict[str, Any]) -> None:
        """Write one line, and before it the first line of its file where it has none yet.

        Raises:
            LedgerError: it could not be written.
        """
        if self._size > self._keep_bytes // _FILES:
            self._next_part()
        try:
            try:
                self._append(event, members)
            except Altered:  # what is missing is told by `verify`; this line goes on from there
                self._next_part()
                self._let_go()
                self._append(event, members)
        except (OSError, ValueError, Altered) as error:
            self._leave_no_empty_chain()
            raise self._unwritable(error) from None

    def _leave_no_empty_chain(self) -> None:
        if not self._number and self._head is not None:
            self._let_go()
            with contextlib.suppress(OSError):
                head_of(self._folder, self._chain).unlink()

    def _append(self, event: str, members: dict[str, Any]) -> None:
        lines = [(event, members)]
        if not self._size:
            lines.insert(0, ("begun", self._beginning()))
        text, number, digest = b"", self._number, self._hash
        stamp = self._now().astimezone(UTC).isoformat(timespec="milliseconds")
        for each, said in lines:
            number += 1
            more = {"time": stamp.replace("+00:00", "Z"), "event": each, **said}
            line, digest = linked(number, more, digest)
            text += line
        if self._head is None:  # before the first line, so that no chain is ever without a head
            self._head = HeldHead(
                head_of(self._folder, self._chain), Head(self._number, self._hash)
            )
        append(self.file, text, behind=self._size)
        self._size += len(text)
        self._number, self._hash = number, digest
        self._sizes[self._part] = self._size
        self._head.write(Head(number, digest))

    def _beginning(self) -> dict[str, Any]:
        """What the first line of a file says."""
        self._untidy = True
        seen = []
        for chain in reversed(chains_in(self._folder)):
            head = read_head(chain.head) if chain.name != self._chain else None
            if head is not None and head.lines:
                seen.append({"chain": chain.name, "n": head.lines, "hash": head.hash})
            if len(seen) == _SEEN:
                break
        return {"format": FORMAT, "chain": self._chain, "part": self._part, "seen": seen}

    def _next_part(self) -> None:
        self._part += 1
        self._size = 0

    def _let_go(self) -> None:
        if self._head is not None:
            self._head.close()
            self._head = None

    def _unwritable(self, error: Exception) -> LedgerError:
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else "the path is not usable"
        return LedgerError(
            f"The ledger in {self._folder} cannot be written ({reason}), so nothing leaves"
            " this machine: free or mend that folder."
        )
