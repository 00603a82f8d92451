"""`synconfroute stats`: what became of completions on this machine."""

import json
from argparse import Namespace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import UsageError
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.server.observation.report import Report


def stats(options: Namespace) -> int:
    """Print the numbers, write them as a page or an export, or show them to who asks.

    Files that cannot be read are told on stderr, or in the JSON.

    Raises:
        UsageError: a file is no export, or the address none of this machine.
    """
    if options.pool and (options.serve is not None or options.export is not None):
        raise UsageError("--pool goes with --html, with --json, or alone.")
    if options.serve is not None:
        return _serve(options.serve)
    if options.export is not None:
        return _export(options.export, options.since)
    report = _report(options)
    if options.html is not None:
        # Whatever the terminal's encoding is, HTML may say it in ASCII.
        _write(options.html, report.as_page().encode("ascii", "xmlcharrefreplace").decode())
    elif options.json:
        console.say(json.dumps(report.as_json(), indent=2))
    else:
        from synconfroute.server.command.stats_table import table

        _complain_of(report.summary.unreadable)
        console.say(console.printable(table(report) if report.summary.days else _nothing(options)))
    return 0


def _report(options: Namespace) -> "Report":
    difference = options.difference / 100
    if not options.pool:
        from synconfroute.server.observation.report import report_here

        return report_here(options.since, difference=difference)
    from synconfroute.server.observation.exported import pooled

    report, passed_over = pooled(list(map(Path, options.pool)), options.since, difference)
    for sentence in passed_over:
        console.complain(sentence)
    return report


def _export(name: str, since: date | None) -> int:
    from synconfroute.server.observation.exported import export

    _write(name, export(since=since))
    return 0


def _write(name: str, text: str) -> None:
    """Into a file, or to stdout for "-"."""
    if name == "-":
        console.say(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{name} cannot be written ({error.strerror}).") from error


def _serve(address: str) -> int:
    """Show metrics and the page until the process is ended."""
    from synconfroute.server.observation.endpoint import Endpoint
    from synconfroute.server.observation.serving import METRICS, PEOPLE, pages
    from synconfroute.server.settings.addresses import listening

    found = listening(address)
    if found is None:
        raise UsageError(
            f"{address} is not an address of this machine with a port: give one such as"
            " 127.0.0.1:9464."
        )
    endpoint = Endpoint(*found, pages())
    base = f"http://{address.rpartition(':')[0]}:{endpoint.port}"
    console.say(f"Metrics: {base}{METRICS}  Page: {base}{PEOPLE}")
    console.flush()
    try:
        endpoint.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        endpoint.close()
    return 0


def _complain_of(unreadable: tuple[str, ...]) -> None:
    if unreadable:
        console.complain(f"Left out, since it cannot be read here: {', '.join(unreadable)}.")


def _nothing(options: Namespace) -> str:
    if options.since is not None:
        return f"Nothing was counted since {options.since}."
    if options.pool:
        return "Nothing was counted in these exports."
    return "Nothing was counted yet: the numbers begin with the first completion in your editor."
