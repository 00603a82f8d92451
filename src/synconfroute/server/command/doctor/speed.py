"""Doctor's measurement: the median of ten completions of the bundled example."""

import statistics
import time
from dataclasses import dataclass, replace

from synconfroute.server.command import console
from synconfroute.server.command.doctor.example import example_holes
from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.completion.answer import Answer, Reason
from synconfroute.server.settings.tree import Settings

TARGET_MS = 200.0
"""What a completion may take and still feel immediate (paper, section 6.3)."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Ten completions.

    Attributes:
        median_ms: of the time that each took, in ms; None where none could be made.
        problem: what the last failing one said.
    """

    median_ms: float | None
    problem: str = ""


async def measure(settings: Settings) -> Measured:
    """Complete the example's holes with the local model alone, after one that is not counted."""
    from synconfroute.server.completion.completer import Completer

    notices: list[str] = []
    completer = Completer(_local_only(settings), on_notice=notices.append)
    times, problem = [], ""
    holes = example_holes()
    try:
        first = await completer.complete(holes[-1])
        if not _failed(first):
            for hole in console.progress(holes, "completions"):
                started = time.perf_counter()
                answer = await completer.complete(hole)
                if _failed(answer):
                    problem = answer.provenance.problem
                else:
                    times.append((time.perf_counter() - started) * 1000)
        else:
            problem = first.provenance.problem
    finally:
        await completer.aclose()
    return Measured(statistics.median(times) if times else None, problem or " ".join(notices))


def speed_finding(measured: Measured) -> Finding:
    """The median beside what feels immediate."""
    about = "speed"
    if measured.median_ms is None:
        why = measured.problem or "the local model gives no answer"
        return Finding(about, Health.BAD, f"No completion could be made: {why}")
    told = f"The median of ten completions is {measured.median_ms:.0f} ms"
    if measured.median_ms <= TARGET_MS:
        return Finding(
            about, Health.OK, f"{told}, within the {TARGET_MS:.0f} ms that feel immediate."
        )
    return Finding(
        about,
        Health.NOTE,
        f"{told}, more than the {TARGET_MS:.0f} ms that feel immediate.",
        "use a smaller model, an accelerator, or a machine with less to do",
    )


def _failed(answer: Answer) -> bool:
    return answer.provenance.reason is Reason.ERROR


def _local_only(settings: Settings) -> Settings:
    return replace(settings, escalation=replace(settings.escalation, enabled=False))
