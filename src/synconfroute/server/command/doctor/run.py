"""`synconfroute doctor`: what works, what does not, and the one line that mends it."""

import asyncio
import json
from argparse import Namespace
from dataclasses import asdict, dataclass

from synconfroute.server.command import console
from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.command.doctor.local import look_at_local
from synconfroute.server.command.doctor.machine import (
    ledger_finding,
    parser_findings,
    settings_findings,
)
from synconfroute.server.command.doctor.offer import pull_if_wanted
from synconfroute.server.command.doctor.org import org_finding
from synconfroute.server.command.doctor.speed import measure, speed_finding
from synconfroute.server.command.reading import log_to_file, read_for
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, in the order of a request's way.

    Attributes:
        median_ms: of ten completions; None where none can be made.
    """

    findings: tuple[Finding, ...]
    median_ms: float | None

    @property
    def can_complete(self) -> bool:
        """True if a completion was made."""
        return self.median_ms is not None


def doctor(options: Namespace) -> int:
    """Look at everything that a completion needs. No code but a bundled example is sent anywhere.

    Returns:
        0, or 1 where no completion can be made.
    """
    reading = read_for(options)
    log_to_file(reading.settings)
    machine = [*settings_findings(reading), *parser_findings(), ledger_finding()]
    ask = console.is_terminal() and not options.json
    tiers, median = asyncio.run(_tiers(reading.settings, ask=ask))
    report = Report((*machine, *tiers), median)
    console.say(_as_json(report) if options.json else _for_people(report))
    return 0 if report.can_complete else 1


async def _tiers(settings: Settings, *, ask: bool) -> tuple[list[Finding], float | None]:
    local = await look_at_local(settings)
    if ask and local.wanted:
        remote = settings.local.allow_remote
        if await pull_if_wanted(local.ollama, local.wanted, allow_remote=remote):
            local = await look_at_local(settings)
    if not local.ready:
        return [*local.findings, await org_finding(settings)], None
    measured = await measure(settings)
    local = await look_at_local(settings)  # now that the model is loaded it shows on what it runs
    findings = [*local.findings, speed_finding(measured), await org_finding(settings)]
    return findings, measured.median_ms


def _for_people(report: Report) -> str:
    lines = []
    for finding in report.findings:
        lines.append(f"{finding.health:<6}  {finding.about}: {finding.message}")
        if finding.remedy and finding.remedy not in finding.message:
            lines.append(f"{'':<6}  -> {finding.remedy}")
    bad = sum(finding.health is Health.BAD for finding in report.findings)
    ending = "Completions can be made." if report.can_complete else "No completion can be made."
    lines += ["", ending + (f" {bad} not ok." if bad else "")]
    return console.printable("\n".join(lines))


def _as_json(report: Report) -> str:
    return json.dumps(
        {
            "can_complete": report.can_complete,
            "median_ms": report.median_ms,
            "findings": [asdict(finding) for finding in report.findings],
        },
        indent=2,
    )
