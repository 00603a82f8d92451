"""`synconfroute stats`: what became of completions on this machine."""

import json
from argparse import Namespace
from dataclasses import asdict
from datetime import date

from synconfroute.server.command import console
from synconfroute.server.command.stats_table import table
from synconfroute.server.completion.day_files import read_days
from synconfroute.server.completion.summary import Summary, summarise


def stats(options: Namespace) -> int:
    """Print the numbers. Files that cannot be read are told on stderr, or in the JSON."""
    since: date | None = options.since
    summary = summarise(read_days(since=since or date.min))
    if options.json:
        day = None if since is None else since.isoformat()
        console.say(json.dumps({"since": day, **asdict(summary)}, indent=2))
        return 0
    if summary.unreadable:
        console.complain(
            f"Left out, since it cannot be read here: {', '.join(summary.unreadable)}."
        )
    console.say(console.printable(_for_people(summary, since)))
    return 0


def _for_people(summary: Summary, since: date | None) -> str:
    if summary.days:
        return table(summary)
    if since is not None:
        return f"Nothing was counted since {since}."
    return "Nothing was counted yet: the numbers begin with the first completion in your editor."
