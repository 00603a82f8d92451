"""The report, put together from its parts."""

from collections.abc import Iterator

from synconfroute.evaluation.report.blocks import Block, Document, Section
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.report.sections.at_hand import at_hand, in_short
from synconfroute.evaluation.report.sections.failing import complementing, failing
from synconfroute.evaluation.report.sections.few_shot import few_shot
from synconfroute.evaluation.report.sections.figure_4 import figure_4
from synconfroute.evaluation.report.sections.landscape import landscape
from synconfroute.evaluation.report.sections.made import made
from synconfroute.evaluation.report.sections.quantization import quantization
from synconfroute.evaluation.report.sections.repairs import repairs
from synconfroute.evaluation.report.sections.routing import routing
from synconfroute.evaluation.report.sections.table_1 import table_1
from synconfroute.evaluation.report.sections.table_3 import table_3
from synconfroute.evaluation.report.sections.table_5 import table_5
from synconfroute.evaluation.report.sections.voting import voting


def document(found: Findings) -> Document:
    """The report."""
    sides = {
        role: list(dict.fromkeys(
            each.answers.model.label for each in found.judged if each.answers.role == role
        ))
        for role in ("local", "larger")
    }  # fmt: skip
    return Document(
        "Small models locally, a larger one where it is needed",
        f"{_listed(sides['local'])} locally, {_listed(sides['larger'])} as the larger model",
        tuple(_sections(found)),
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _sections(found: Findings) -> Iterator[Section]:
    yield in_short(found)
    yield at_hand(found)
    yield table_1(found)
    yield landscape(found)
    yield table_3(found)
    yield from _pairs(found)
    for title, blocks in figure_4(found):
        yield Section(title, blocks)
    yield table_5(found)
    if (repaired := repairs(found)) is not None:
        yield repaired
    yield few_shot(found)
    yield voting(found)
    yield quantization(found)
    yield made(found)


def _pairs(found: Findings) -> Iterator[Section]:
    """Table 4, Figure 3 and what belongs to them: a section for each pair of models."""
    pairs: dict[str, list[Pairing]] = {}
    for pairing in found.pairings:
        pairs.setdefault(pairing.name, []).append(pairing)
    for number, (name, pairings) in enumerate(pairs.items()):
        blocks: list[Block] = []
        for index, pairing in enumerate(pairings):
            part = f"pair-{number + 1}-{index + 1}"
            blocks += routing(pairing, found, part)
            blocks += complementing(pairing, part)
            blocks += [
                block
                for each in found.failing
                if each.judged is pairing.local
                for block in failing(each, part)
            ]
        yield Section(f"Table 4 and Figure 3: {name}", tuple(blocks))
