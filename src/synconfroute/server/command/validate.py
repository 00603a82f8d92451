"""`synconfroute validate`: what inserting a text does to a file, or to each row of a batch."""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, BinaryIO

from synconfroute.errors import DocumentError, UsageError
from synconfroute.server.command import console
from synconfroute.server.command.document import read_document
from synconfroute.server.command.languages import language_of
from synconfroute.server.command.position import offset_of

_LONGEST_ROW = 20_000_000
_TEXTS = ("language", "prefix", "suffix", "text")


def validate(options: Namespace) -> int:
    """Judge one insertion, or with --jsonl a batch.

    Returns:
        0 whatever the verdict; 1 if a row of a batch was not one.

    Raises:
        UsageError: options are missing or do not go together.
        DocumentError: the file cannot be read or lacks the position.
    """
    if options.jsonl is not None:
        if options.file or options.at or options.text is not None or options.language:
            raise UsageError("With --jsonl the rows say everything: give no FILE, --at, --text.")
        return _batch(options.jsonl)
    if not options.file or options.at is None or options.text is None:
        raise UsageError(
            "synconfroute validate wants FILE, --at LINE:COL and --text T, or --jsonl."
        )
    document = read_document(options.file, language_of(options.file, options.language))
    offset = offset_of(options.at, document.text, document.name)
    row = {
        "language": document.language,
        "prefix": document.text[:offset],
        "suffix": document.text[offset:],
        "text": options.text,
    }
    answer = _judge(row, document.path)
    console.say(json.dumps(answer) if options.json else _for_people(answer))
    return 0


def _judge(row: dict[str, Any], path: str | None = None) -> dict[str, Any]:
    from synconfroute.validators import validate as verdict_of

    started = time.perf_counter()
    verdict = verdict_of(
        row["language"],
        row["prefix"],
        row["text"],
        row["suffix"],
        path=path,
        before=row.get("before"),
    )
    return {
        "verdict": verdict.outcome,
        "reason": verdict.reason,
        "evidence": [asdict(evidence) for evidence in verdict.evidence],
        "ms": round((time.perf_counter() - started) * 1000, 3),
    }


def _for_people(answer: dict[str, Any]) -> str:
    lines = [f"{answer['verdict']}: {answer['reason']}" if answer["reason"] else answer["verdict"]]
    lines += [f"  line {each['line']}: {each['message']}" for each in answer["evidence"]]
    return console.printable("\n".join(lines))


def _batch(name: str) -> int:
    """Answer each row as it comes; say of a bad row which line it is, and go on."""
    code = 0
    with _opened(name) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_ROW + 1), b""), 1):
            if len(line) > _LONGEST_ROW:
                raise DocumentError(f"Line {number} of {name} is over 20 MB: the batch ends there.")
            if not line.strip():
                continue
            row = _row(line)
            if row is None:
                console.complain(
                    f"Line {number} of {name} is not a row: it wants a JSON object with id and"
                    " the texts language, prefix, suffix and text."
                )
                code = 1
                continue
            console.say(json.dumps({"id": row["id"], **_judge(row)}))
            console.flush()
    return code


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or "id" not in row:
        return None
    texts = all(isinstance(row.get(name), str) for name in _TEXTS)
    before = row.get("before")
    return row if texts and (before is None or isinstance(before, str)) else None


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(name, "rb")  # noqa: SIM115 - closed below; only its opening may be refused
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "bad name"
        raise DocumentError(f"{name} cannot be read: {reason.lower()}.") from None
    with file:
        yield file
