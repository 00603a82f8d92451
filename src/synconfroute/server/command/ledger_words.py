"""Requests of the ledger in words, for a terminal."""

from collections.abc import Sequence

from synconfroute.server.completion.ledger.history import NOT_ENDED, WITHHELD, Request

_REASONS = {
    "low_confidence": "the local model was not sure",
    "invalid": "the local answer would break the code",
    "evidence": "the local answer looked suspicious",
    "evaluation": "an evaluation was told to send it",
}
_HEADS = ("time (UTC)", "bytes", "reason", "ended", "ms", "shown", "request", "file")
_RIGHT = {1, 4}


def table(requests: Sequence[Request]) -> str:
    """One line a request."""
    rows = [_row(each) for each in requests]
    widths = [max(map(len, column)) for column in zip(_HEADS, *rows, strict=True)]
    return "\n".join(_aligned(row, widths) for row in (_HEADS, *rows))


def explained(request: Request) -> str:
    """All that is known of one request, in a few sentences."""
    size = "some bytes" if request.bytes is None else f"{request.bytes:,} bytes"
    reason = _REASONS.get(request.reason, request.reason)
    target = f"the model {request.model} at {request.server}"
    verb = "would have gone" if request.status == WITHHELD else "went"
    told = [
        f"{_moment(request)} UTC: {size} of {request.path} ({request.language}) {verb} to {target},"
        f" since {reason}."
    ]
    if request.context_files:
        files = ", ".join(request.context_files)
        told.append(f"Pieces of other files were given along ({request.context_bytes}): {files}.")
    told += [
        _ending(request),
        f"Request {request.request_id}; line {request.line} of {request.file}.",
    ]
    return "\n".join(told)


def _ending(request: Request) -> str:
    if request.status == NOT_ENDED:
        return "Not sent or unknown: it has no end yet, or its process died before it had."
    if request.status == WITHHELD:
        return f"Nothing was sent: {request.why}"
    took = "" if request.ms is None else f" after {request.ms:,.0f} ms"
    if request.status != "answered":
        return f"It ended{took} without an answer: {request.status.replace('_', ' ')}."
    by = ""
    if request.answered_by and request.answered_by != request.model:
        by = f" by the model {request.answered_by}"
    fate = "was shown" if request.shown else "was not shown, as far as the editor has told"
    return f"It was answered{by}{took} with {request.tokens} tokens; the answer {fate}."


def _row(request: Request) -> tuple[str, ...]:
    return (
        _moment(request),
        "-" if request.bytes is None else f"{request.bytes:,}",
        request.reason,
        request.status,
        "-" if request.ms is None else f"{request.ms:,.0f}",
        "yes" if request.shown else "no",
        request.request_id[:8],
        request.path,
    )


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        cell.rjust(width) if index in _RIGHT else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()


def _moment(request: Request) -> str:
    return request.time[:19].replace("T", " ")
