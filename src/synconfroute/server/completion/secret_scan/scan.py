"""All that in a text looks like a secret."""

import re
from collections.abc import Iterator
from itertools import chain

from synconfroute.server.completion.secret_scan.assigned import by_name
from synconfroute.server.completion.secret_scan.blocks import by_look
from synconfroute.server.completion.secret_scan.finding import Finding
from synconfroute.server.completion.secret_scan.formats import by_format

_PLACEHOLDER = re.compile(r"[REDACT\n]+")
"""What stands in place of a secret that was replaced."""


def secrets_in(text: str) -> tuple[Finding, ...]:
    """The findings in the order in which they stand; none overlaps another."""
    every = chain(by_format(text), by_look(text), by_name(text))
    found = sorted(
        (each for each in every if not _PLACEHOLDER.fullmatch(text, each.start, each.end)),
        key=lambda finding: (finding.start, -finding.end),
    )
    return tuple(_apart(found))


def _apart(found: list[Finding]) -> Iterator[Finding]:
    """Those that overlap as one, by the name of the first."""
    current: Finding | None = None
    for finding in found:
        if current is not None and finding.start < current.end:
            current = Finding(current.kind, current.start, max(current.end, finding.end))
            continue
        if current is not None:
            yield current
        current = finding
    if current is not None:
        yield current
