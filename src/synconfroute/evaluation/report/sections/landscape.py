"""Figure 1: quality over latency, each model by its best way of being asked."""

from collections.abc import Iterator

from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Missing,
    Picture,
    Section,
    Table,
)
from synconfroute.evaluation.report.drawing.scatter import Spot
from synconfroute.evaluation.report.drawing.scatter import landscape as drawn
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.latencies import Timing
from synconfroute.evaluation.report.naming import Named
from synconfroute.evaluation.report.sections.commands import LATENCY, SINGLE_LINE
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import interval, milliseconds, percent

BENCH = "humaneval-single-line"
FAMILIES = ("Qwen", "StarCoder", "DeepSeek", "Yi-Coder", "OpenCoder", "Refact", "CodeGemma",
            "Stable", "Granite", "CodeLlama", "Magicoder", "CodeGeeX")  # fmt: skip


_ENOUGH = 100


def landscape(found: Findings) -> Section:
    """The models in one plane."""
    return Section("Figure 1: quality and latency", tuple(_blocks(found)))


def best_of(found: Findings) -> dict[Named, Judged]:
    """Each model's answers to single lines with the highest pass@1.

    Of those to at least `_ENOUGH` tasks, where it has such: a few tasks may be easy by chance.
    """
    models: dict[Named, list[Judged]] = {}
    for each in found.judged:
        if each.answers.bench == BENCH:
            models.setdefault(each.answers.model, []).append(each)
    return {
        model: max(judged, key=lambda each: (each.count >= _ENOUGH, each.passed))
        for model, judged in models.items()
    }


def _blocks(found: Findings) -> Iterator[Block]:
    best = best_of(found)
    if not best:
        yield Missing("None of these models has answered single lines:", SINGLE_LINE)
        return
    timed = {
        model: timing
        for model, each in best.items()
        if (timing := found.latencies.of(model, each.answers.arm.prompt)) is not None
    }
    if timed:
        yield _picture(found, best, timed)
    yield Table(
        ["model", "family", "tier", "pass@1", "median", "p90", "best asked by"],
        [_row(model, each, timed.get(model)) for model, each in best.items()],
        caption="What the figure shows, in numbers. Of models whose answers are to different"
        " tasks the figures are not comparable: see “Answers at hand”.",
        words=frozenset({0, 1, 2, 6}),
    )
    yield made_by(each.answers for each in best.values())
    if without := [model.label for model in best if model not in timed]:
        yield Missing(
            f"Without a latency of its own run, and so not in the figure: {', '.join(without)}."
            " Times in files of answers are of a machine that did other things too.",
            LATENCY,
        )


def _picture(found: Findings, best: dict[Named, Judged], timed: dict[Named, Timing]) -> Picture:
    spots = [
        Spot(
            model.label, _kind(model), timing.latency.seconds.median, best[model].passed,
            best[model].interval, diamond=model.tier == "large",
        )
        for model, timing in timed.items()
    ]  # fmt: skip
    legend = dict.fromkeys((model.family or "other", _kind(model)) for model in timed)
    counts = sorted({best[model].count for model in timed})
    tasks = " to ".join(dict.fromkeys((f"{counts[0]:,}", f"{counts[-1]:,}")))
    return Picture(
        drawn(spots),
        "landscape",
        f"pass@1 of the best way of asking ({tasks} single lines, with intervals) over the median"
        f" seconds to the complete answer. Circles: small and mid-range models; diamonds: large"
        f" ones; dashed: the paper's 200 ms. {found.latencies.machines}",
        list(legend),
        filled=True,
        title="Figure 1",
    )


def _kind(model: Named) -> str:
    return f"family-{model.family.lower()}" if model.family in FAMILIES else "family-other"


def _row(model: Named, each: Judged, timing: Timing | None) -> list[str | Cell]:
    seconds = timing.latency.seconds if timing else None
    return [
        model.label,
        model.family or "–",
        model.tier or "–",
        Cell(percent(each.passed), f"{interval(each.interval)}, n {each.count:,}"),
        milliseconds(seconds.median if seconds else None),
        milliseconds(seconds.p90 if seconds else None),
        each.answers.arm.label,
    ]
