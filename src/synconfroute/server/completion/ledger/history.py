"""What has left this machine: the lines of all processes, joined and in order of time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from synconfroute.server.completion.ledger.chain import Record
from synconfroute.server.completion.ledger.files import Chain, chains_in
from synconfroute.server.completion.ledger.lines import Line, lines_of

NOT_ENDED = "not sent or unknown"
"""Of a line whose request has no end: its process died, or it still runs."""
WITHHELD = "withheld"
"""Of a request that was decided on, and kept here by policy."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the organisation's server, by its lines.

    Attributes:
        time: of its line, in UTC, as ISO 8601.
        path: the file, or its digest.
        language: LSP language id.
        bytes: of the prompt; None where that cannot be read.
        tier: who was asked.
        server: the address.
        model: the model that was asked.
        reason: why.
        request_id: joins it with the answer's provenance.
        context_files: other files of which pieces went along.
        context_bytes: size of these pieces.
        status: "answered", "late", "cancelled", what failed, `NOT_ENDED` or `WITHHELD`.
        ms: how long it took, or None.
        tokens: so many came, or None.
        answered_by: the model that the server says has answered, or "".
        shown: the user was shown its answer.
        why: of what was withheld.
        file: name of the file that its line stands in.
        line: which line of it.
    """

    time: str
    path: str
    language: str
    bytes: int | None
    tier: str
    server: str
    model: str
    reason: str
    request_id: str
    context_files: tuple[str, ...]
    context_bytes: int | None
    status: str
    ms: float | None
    tokens: int | None
    answered_by: str
    shown: bool
    why: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class History:
    """All that the ledger tells.

    Attributes:
        requests: in order of time.
        unreadable: names of files of which not every line can be read.
    """

    requests: tuple[Request, ...]
    unreadable: tuple[str, ...]


def history(folder: Path, since: datetime | None = None) -> History:
    """The requests since a moment.

    Raises:
        OSError: the folder cannot be read.
    """
    unreadable: dict[str, None] = {}
    requests: list[Request] = []
    for chain in chains_in(folder):
        requests += _joined(_records(chain, unreadable))
    kept = [each for each in requests if since is None or _not_before(each.time, since)]
    kept.sort(key=lambda each: each.time)
    return History(tuple(kept), tuple(unreadable))


def _records(chain: Chain, unreadable: dict[str, None]) -> Iterator[tuple[Line, Record]]:
    for file in chain.files:
        try:
            for line in lines_of(file):
                if line.record is not None:
                    yield line, line.record
                elif line.whole:
                    unreadable[file.name] = None
        except OSError:
            unreadable[file.name] = None


def _joined(records: Iterator[tuple[Line, Record]]) -> Sequence[Request]:
    """The requests of one chain, each with its end."""
    found: dict[int, Request] = {}
    for line, record in records:
        match record.event:
            case "sent":
                found[record.number] = _request(line, record, NOT_ENDED)
            case "withheld":
                found[record.number] = _request(line, record, WITHHELD)
            case "ended":
                _amend(found, record, _ended)
            case "shown":
                _amend(found, record, lambda request, _: replace(request, shown=True))
    return list(found.values())


def _amend(
    found: dict[int, Request], record: Record, how: Callable[[Request, Record], Request]
) -> None:
    of = record.count("of")
    if of is not None and of in found:
        found[of] = how(found[of], record)


def _ended(request: Request, record: Record) -> Request:
    ms = record.members.get("ms")
    return replace(
        request,
        status=record.text("status") or "ended",
        ms=float(ms) if isinstance(ms, int | float) and not isinstance(ms, bool) else None,
        tokens=record.count("tokens"),
        answered_by=record.text("model"),
    )


def _request(line: Line, record: Record, status: str) -> Request:
    files = record.members.get("context_files")
    return Request(
        time=record.text("time"),
        path=record.text("path"),
        language=record.text("language"),
        bytes=record.count("bytes"),
        tier=record.text("tier"),
        server=record.text("server"),
        model=record.text("model"),
        reason=record.text("reason"),
        request_id=record.text("request_id"),
        context_files=tuple(
            file for file in (files if isinstance(files, list) else []) if isinstance(file, str)
        ),
        context_bytes=record.count("context_bytes"),
        status=status,
        ms=None,
        tokens=None,
        answered_by="",
        shown=False,
        why=record.text("why"),
        file=line.file.name,
        line=line.at,
    )


def _not_before(time: str, since: datetime) -> bool:
    """True also for a time that cannot be read: nothing is hidden for that."""
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return True
    return moment.replace(tzinfo=moment.tzinfo or UTC) >= since
