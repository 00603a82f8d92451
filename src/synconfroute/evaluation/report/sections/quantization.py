"""One model at several levels of quantization."""

from collections.abc import Iterator, Sequence
from statistics import median

from synconfroute.evaluation.report.arms import Arm
from synconfroute.evaluation.report.blocks import Block, Cell, Missing, Section, Table, Text
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.sections.commands import LEVELS
from synconfroute.evaluation.report.sections.making import made_by
from synconfroute.evaluation.report.wording import bench_name, interval, milliseconds, percent
from synconfroute.evaluation.routing.statistics import interval_by_group
from synconfroute.validators.verdict import Outcome

_PAPERS = ("Q2_K", "Q4_K_M", "Q8_0", "F16")
_BITS = {"F16": 16, "BF16": 16, "F32": 32}


def quantization(found: Findings) -> Section:
    """The levels, from the fewest bits."""
    return Section("Quantization", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    several = _several(found)
    if not several:
        yield Missing(
            "No model at more than one level of quantization, asked in the same way:", LEVELS
        )
        return
    yield Table(
        ["model", "level", "tasks", "pass@1", "invalid", "median latency", "file", "memory"],
        [row for group in several for row in _rows(group, found)],
        caption="The same tasks at every level, asked for in the same way; pass@1 and the share of"
        " invalid answers in percent. A level “from” another was made from weights of that level,"
        " and so can hold no more than they do. Latency, size of the weights' file and the engine's"
        " most memory are those that “eval quantization” recorded with the answers of an embedded"
        " model, which do not say how busy the machine was; else of a latency run.",
        words=frozenset({0, 1}),
    )
    yield made_by(each.answers for group in several for each in group)
    levels = {_level(each) for group in several for each in group}
    if absent := [level for level in _PAPERS if level not in levels]:
        yield Text(f"Levels of the paper that are not at hand: {', '.join(absent)}.")


def _several(found: Findings) -> list[list[Judged]]:
    """Answers to the same benchmark, asked for in the same way, at more than one level."""
    groups: dict[tuple[str, str, Arm, bool], list[Judged]] = {}
    for each in found.levels:
        answers = each.answers
        if answers.arm.plain:
            key = (answers.model.name, answers.bench, answers.arm, answers.weighed)
            groups.setdefault(key, []).append(each)
    return [group for group in groups.values() if len(set(map(_level, group))) > 1]


def _rows(group: Sequence[Judged], found: Findings) -> Iterator[list[str | Cell]]:
    common = set.intersection(*(set(each.by_task) for each in group))
    if not common:
        return
    for each in sorted(group, key=_bits):
        answers = each.answers
        kept = [i for i, stored in enumerate(answers.stored) if stored.task.id in common]
        right = [each.right[i] for i in kept]
        invalid = sum(each.verdicts[i].outcome is Outcome.INVALID for i in kept)
        bounds = interval_by_group(right, [answers.stored[i].task.group for i in kept])
        remade = f" from {answers.model.remade}" if answers.model.remade else ""
        yield [
            Cell(answers.model.name, f"{bench_name(answers.bench)}; {answers.arm.label}"),
            f"{_level(each)}{remade}",
            f"{len(kept):,}",
            Cell(percent(sum(right) / len(right)), interval(bounds)),
            percent(invalid / len(kept)),
            milliseconds(_seconds(each, kept, found)),
            _megabytes(each, "weights_bytes"),
            _megabytes(each, "engine_bytes"),
        ]


def _seconds(each: Judged, kept: Sequence[int], found: Findings) -> float | None:
    """The middle of the times of an undisturbed run: the answers' own, or a latency run's."""
    stored = [each.answers.stored[i].prediction for i in kept]
    own = [one.seconds for one in stored if one.provenance.get("engine_bytes") and one.seconds]
    if len(own) == len(stored):
        return median(own)
    timing = found.latencies.of(each.answers.model, each.answers.arm.prompt)
    return timing.latency.seconds.median if timing else None


def _megabytes(each: Judged, name: str) -> str:
    told = [one.prediction.provenance.get(name) for one in each.answers.stored]
    most = max((int(value) for value in told if value), default=None)
    return "–" if most is None else f"{most / 1e6:,.0f} MB"


def _level(each: Judged) -> str:
    return each.answers.model.level or "unknown"


def _bits(each: Judged) -> tuple[int, str]:
    """Bits of a weight, as the level's name has them."""
    level = _level(each)
    first = next((int(character) for character in level if character.isdigit()), 99)
    return _BITS.get(level, first), level
