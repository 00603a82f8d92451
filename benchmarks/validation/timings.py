"""The rows on time."""

from collections.abc import Iterator

from benchmarks.figure import percentile
from benchmarks.validation import callbacks, replayed, speed
from benchmarks.validation.report import OURS, UNKNOWN, Row
from benchmarks.validation.settings import Settings

CALLBACKS = "callbacks"
PARTS = (*replayed.LANGUAGES, CALLBACKS)
_GOALS = {1_000: {0.5: 1.0, 0.99: 5.0}, 10_000: {0.99: 20.0}}
"""Milliseconds, by lines and percentile."""


def rows(settings: Settings, part: str, _remarks: list[str]) -> Iterator[Row]:
    """A language's verdicts with evidence, or the callbacks in the server."""
    for lines, goals in _GOALS.items():
        if part == CALLBACKS:
            yield _longest_callback(settings, lines)
        else:
            yield from _verdicts(settings, part, lines, goals)


def _verdicts(
    settings: Settings, language: str, lines: int, goals: dict[float, float]
) -> Iterator[Row]:
    """Milliseconds through the parser process, the session prepared."""
    runs = settings.sizes.runs
    source = speed.source(settings.data, language, lines)
    taken, unknown = speed.times(source, language, runs)
    spent = speed.processor_times(source, language, runs)
    on, share = f"{lines:,} lines, {language}", 100 * unknown / len(taken)
    for part in (0.5, 0.99):
        value, goal = percentile(taken, part), goals.get(part)
        yield Row(
            on, f"p{part * 100:.0f}, ms", len(taken), {OURS: value, UNKNOWN: share},
            "" if goal is None else f"≤ {goal:g}", None if goal is None else value <= goal,
        )  # fmt: skip
        what = f"p{part * 100:.0f} of processor time in the parser, ms"
        yield Row(on, what, len(spent), {OURS: percentile(spent, part)})


def _longest_callback(settings: Settings, lines: int) -> Row:
    longest = callbacks.longest(lines, settings.sizes.runs)
    return Row(
        f"{lines:,} lines, python", "longest callback in the server, ms of CPU",
        settings.sizes.runs, {OURS: longest}, "≤ 10", longest <= 10,
    )  # fmt: skip
