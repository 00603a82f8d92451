"""`synconfroute ledger`: what has left this machine; is the ledger as it was written?"""

import json
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from synconfroute.errors import LedgerError, UsageError
from synconfroute.server.command import console
from synconfroute.server.command.ledger_words import explained, table
from synconfroute.server.completion.ledger.head import Head
from synconfroute.server.completion.ledger.history import Request, history
from synconfroute.server.completion.ledger.verification import Found, missing_from, verify
from synconfroute.server.places import ledger_folder

_MOST_BYTES = 64_000_000
"""No report of ours comes near this."""


def ledger(options: Namespace) -> int:
    """Run `ledger`, `ledger verify` or `ledger explain`.

    Returns:
        0; 1 where the ledger is not as it was written, or has no such request.

    Raises:
        LedgerError: its folder cannot be read.
        UsageError: the earlier report is none.
    """
    folder = ledger_folder()
    try:
        match options.action:
            case "verify":
                return _verify(folder, options)
            case "explain":
                return _explain(folder, options)
            case _:
                return _list(folder, options)
    except OSError as error:
        raise LedgerError(f"The ledger in {folder} cannot be read ({error.strerror}).") from None


def _list(folder: Path, options: Namespace) -> int:
    since: datetime | None = options.since
    found = history(folder, since)
    if options.json:
        about = {
            "since": None if since is None else since.isoformat(),
            "requests": [asdict(each) for each in found.requests],
            "unreadable": found.unreadable,
        }
        console.say(json.dumps(about, indent=2))
        return 0
    if found.unreadable:
        console.complain(
            f"Not every line can be read in {', '.join(found.unreadable)}: `synconfroute ledger"
            " verify` says which."
        )
    nothing = "Nothing has left this machine." if since is None else "Nothing has left since then."
    console.say(console.printable(table(found.requests) if found.requests else nothing))
    return 0


def _explain(folder: Path, options: Namespace) -> int:
    requests = [each for each in history(folder).requests if _is(each, options.id)]
    if options.json:
        console.say(json.dumps({"requests": [asdict(each) for each in requests]}, indent=2))
    elif requests:
        console.say(console.printable("\n\n".join(explained(each) for each in requests)))
    if not requests:
        console.complain(f"The ledger has no request {options.id}: nothing left for it.")
    return int(not requests)


def _is(request: Request, asked_for: str) -> bool:
    return bool(asked_for) and request.request_id.startswith(asked_for)


def _verify(folder: Path, options: Namespace) -> int:
    earlier = {} if options.against is None else _heads_in(Path(options.against))
    found = verify(folder)
    breaks = (*found.breaks, *missing_from(folder, earlier))
    if options.json:
        about = {
            "whole": not breaks,
            "files": found.files,
            "lines": found.lines,
            "heads": {name: asdict(head) for name, head in found.heads.items()},
            "half_lines": found.halves,
            "breaks": [asdict(each) for each in breaks],
        }
        console.say(json.dumps(about, indent=2))
        return int(bool(breaks))
    for each in breaks:
        place = f"{each.file}, line {each.line}" if each.line else each.file
        console.complain(f"{each.damage}: {place}: {each.sentence}")
    console.say(_summary(found, len(breaks)))
    return int(bool(breaks))


def _summary(found: Found, breaks: int) -> str:
    if not breaks and not found.files:
        return "The ledger is empty."
    files = "one file" if found.files == 1 else f"{found.files} files"
    lines = "one line" if found.lines == 1 else f"{found.lines:,} lines"
    halves = ""
    if found.halves:
        halves = (
            f"\nHalf a line stands at the end of {', '.join(found.halves)}: it was being written"
            " when its process or the machine died, and its request did not leave."
        )
    if breaks:
        places = "in one place" if breaks == 1 else f"in {breaks} places"
        return f"The ledger is not as it was written, {places} ({files}, {lines}).{halves}"
    return f"The ledger is as it was written ({files}, {lines}).{halves}"


def _heads_in(file: Path) -> Mapping[str, Head]:
    """The heads that an earlier `ledger verify --json` told.

    Raises:
        UsageError: it is none.
    """
    try:
        with file.open("rb") as opened:
            report: Any = json.loads(opened.read(_MOST_BYTES))
        return {
            str(name): Head(int(head["lines"]), str(head["hash"]))
            for name, head in report["heads"].items()
        }
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}).") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(
            f"{file} is not what `synconfroute ledger verify --json` prints."
        ) from None
