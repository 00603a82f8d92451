"""How a local model fails, and which of two models is right where."""

from collections.abc import Iterator

from synconfroute.evaluation.report.blocks import (
    Block,
    Folded,
    Heading,
    Listing,
    Picture,
    Table,
    Text,
)
from synconfroute.evaluation.report.drawing.bars import bar
from synconfroute.evaluation.report.findings import Failing
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.report.wording import bench_name, of
from synconfroute.server.completion.thresholds import PAPER

_COUNTED = (
    "The paper's 46 % comes in two phrasings: of all wrong answers, those that are no valid code"
    f" (abstract); of those that are wrong although confident, at {PAPER:g} or more, the same"
    " (§4.4; its 3B model, 166 answers of 833 tasks). The paper's validator parses the whole file;"
    " the server's asks whether the buffer can be gone on with."
)


def failing(found: Failing, name: str) -> Iterator[Block]:
    """What the wrong answers are.

    Args:
        found: of one model and way of asking.
        name: of this part, for the names of pictures.
    """
    ours, judged = found.failures[0], found.judged
    parts = [
        ("right", ours.right, "good"),
        ("wrong, invalid", ours.wrong_invalid, "bad"),
        ("wrong, yet valid", ours.wrong - ours.wrong_invalid, "neither"),
    ]
    yield Heading(f"How {judged.answers.model.label} fails")
    yield Picture(
        bar(parts),
        f"{name}-failures",
        f"All {judged.count:,} local answers to {bench_name(judged.answers.bench)}, by the"
        f" {ours.validator}.",
        [(f"{said}: {count:,}", kind) for said, count, kind in parts],
        filled=True,
        slim=True,
    )
    yield Table(
        ("judged by", "wrong", "of these invalid", "confident, wrong", "of these invalid ", "right",
         "of these rejected"),
        [
            (
                each.validator,
                f"{each.wrong:,}",
                of(each.wrong_invalid, each.wrong),
                f"{each.sure_wrong:,}",
                of(each.sure_wrong_invalid, each.sure_wrong),
                f"{each.right:,}",
                f"{len(each.rejected):,}",
            )
            for each in found.failures
        ],
        caption=_COUNTED,
    )  # fmt: skip
    if found.suspicions:
        yield Table(
            ("evidence", "beside wrong answers", "beside right ones"),
            [(each.kind, f"{each.wrong:,}", f"{each.right:,}") for each in found.suspicions],
            caption="Evidence beside answers that are not invalid; one answer may have several.",
        )
    yield _rejected(found)


def _rejected(found: Failing) -> Block:
    """Every right answer that was called invalid, by its task."""
    blocks: list[Block] = []
    for each in found.failures:
        blocks.append(Text(f"Right local answers that the {each.validator} calls invalid:"))
        blocks.append(Listing(each.rejected, "None."))
    counts = ", ".join(f"{len(each.rejected)} by the {each.validator}" for each in found.failures)
    return Folded(f"Right answers that were rejected: {counts}", blocks)


def complementing(pairing: Pairing, name: str) -> Iterator[Block]:
    """Who is right where.

    Args:
        pairing: the two models.
        name: of this part, for the names of pictures.
    """
    who = pairing.complement
    parts = [
        ("both", who.both, "both"),
        ("local only", who.local_only, "local"),
        ("larger only", who.larger_only, "larger"),
        ("neither", who.neither, "neither"),
    ]
    yield Heading("Who is right where")
    yield Picture(
        bar(parts),
        f"{name}-complement",
        f"Of the {who.solvable:,} tasks that either model has right,"
        f" {of(who.local_only, who.solvable)} are right locally only and"
        f" {of(who.larger_only, who.solvable)} by the larger model only.",
        [(f"{said}: {count:,}", kind) for said, count, kind in parts],
        filled=True,
        slim=True,
    )
