"""How the answers were made and the figures got."""

from collections.abc import Iterator
from typing import Any

from synconfroute.evaluation.report.blocks import Block, Folded, Quote, Section, Table, Text
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.sections.making import command_of
from synconfroute.evaluation.report.sections.routing import PROTOCOLS
from synconfroute.evaluation.report.wording import number

_RECORDED = (
    "server", "profile", "prompt", "shots", "examples_as", "examples_by", "cursor", "suffix",
    "indentation", "hint", "healing", "cut", "max_tokens", "stop", "temperature", "version",
)  # fmt: skip


def made(found: Findings) -> Section:
    """Protocol, files, prompt."""
    return Section("How it was made", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    yield Text(PROTOCOLS[found.protocol])
    if found.shots:
        yield Text(
            "A regression is of the first kind that fits. Indentation copied: moved to the true"
            " code's column the answer passes. Content copied: it is an example's answer, has a"
            " line of it, or in Python uses a name of it, that stands nowhere in the task."
            " Indentation copied too: it stands at an example's column, and not at its own."
        )
    yield Table(
        ["file", "model, as recorded", "made by"],
        [row for each in found.judged for row in _files(each)],
        caption="DATA is the folder with the benchmarks. Of a file that records nothing, the"
        " command is not known.",
        words=frozenset({0, 1, 2}),
    )
    yield Folded("All that the files record", [_conditions(found)])
    prompts = dict.fromkeys(
        origin.prompt_text
        for each in found.judged
        for origin in each.answers.origins
        if origin.prompt_text
    )
    for prompt in prompts:
        yield Text("The unified chat prompt, with a name in braces for what is filled in:")
        yield Quote(prompt)


def _files(each: Judged) -> Iterator[list[str]]:
    for origin in each.answers.origins:
        yield [origin.file, origin.model, command_of(each.answers, origin)]


def _conditions(found: Findings) -> Table:
    names = [
        name
        for name in _RECORDED
        if any(name in each.answers.stored[0].prediction.provenance for each in found.judged)
    ]
    rows = [
        [
            f"{each.answers.model.label}, {each.answers.bench}",
            *(_value(each.answers.stored[0].prediction.provenance.get(name)) for name in names),
            number(_cut_by_limit(each), ".1%"),
        ]
        for each in found.judged
    ]
    return Table(
        ["answers", *(name.replace("_", " ") for name in names), "ended by the limit"], rows
    )


def _value(value: Any) -> str:
    return "–" if value in (None, "") else str(value)


def _cut_by_limit(each: Judged) -> float | None:
    known = [
        bool(stored.prediction.provenance["cut_by_limit"])
        for stored in each.answers.stored
        if "cut_by_limit" in stored.prediction.provenance
    ]
    return sum(known) / len(known) if known else None
