"""What the report says: a study of two models' answers, put into words, tables and drawings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synconfroute.evaluation.report.blocks import (
    Block,
    Document,
    Figures,
    Listing,
    Picture,
    Quote,
    Section,
    Table,
    Text,
)
from synconfroute.evaluation.report.drawing import COLOURED, bar, curves
from synconfroute.evaluation.report.failures import Complement, Failures, Suspicion
from synconfroute.evaluation.routing.curve import area
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Protocol, Study
from synconfroute.server.completion.thresholds import PAPER

_SHARES = (0.33, 0.5, 0.61, 0.7)
"""Local shares that the areas' table has pass@1 at; the paper's own run kept 58 %."""

_PROTOCOLS: Mapping[Protocol, str] = {
    "cv": (
        "Five folds by function: whatever is fitted, a threshold too, is fitted on other functions"
        " than it is tested on. Intervals are of 2,000 bootstrap samples of whole functions."
    ),
    "paper": (
        "The paper's protocol: 200 tasks drawn with seed 42 to fit on, all others to test on."
        " Lines of one function fall on both sides, so learned rules look better than they are."
    ),
}
_RECORDED = ("server", "profile", "prompt", "shots", "cursor", "suffix", "indentation", "hint",
             "healing", "cut", "max_tokens", "temperature", "validator", "version")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """One file of answers.

    Attributes:
        role: "local" or "larger".
        model: its model, as the file says.
        made: what the file records of how they were made, by name; {} where it says nothing.
        cut_by_limit: share of answers that the limit of tokens ended; None where unknown.
        prompt: the text of the paper's chat prompt, where the run used it; else "".
    """

    role: str
    model: str
    made: Mapping[str, Any]
    cut_by_limit: float | None
    prompt: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found.

    Attributes:
        bench: what the tasks are of.
        text: "raw" or "cleaned".
        protocol: how fitting and testing were kept apart.
        sources: the two files.
        study: the strategies.
        failures: of the local model, by validator.
        suspicions: evidence by kind.
        complement: who is right where.
    """

    bench: str
    text: str
    protocol: Protocol
    sources: Sequence[Source]
    study: Study
    failures: Sequence[Failures]
    suspicions: Sequence[Suspicion]
    complement: Complement


def document(found: Findings) -> Document:
    """The report."""
    local, larger = (source.model for source in found.sources)
    sections = (
        Section("In short", tuple(_short(found))),
        Section("Quality over local share", tuple(_curves(found))),
        Section("Strategies at their thresholds", tuple(_strategies(found))),
        Section("How the local model fails", tuple(_failures(found))),
        Section("Who is right where", tuple(_complement(found.complement))),
        Section("Right answers that were rejected", tuple(_rejected(found))),
        Section("How it was made", tuple(_made(found))),
    )
    return Document(
        "Routing between two models",
        f"{local} locally, {larger} as the larger model; {found.bench},"
        f" {found.study.tasks:,} tasks",
        sections,
    )


def _short(found: Findings) -> Iterator[Block]:
    rows = {row.name: row for row in found.study.rows}
    named = [
        ("always local", rows["always-local"].pass_at_1),
        ("always larger", rows["always-larger"].pass_at_1),
        ("whoever is right", rows["oracle"].pass_at_1),
    ]
    pairs = [(name, _percent(value)) for name, value in named]
    half = {name: curve[50][1] for name, curve in found.study.curves.items() if name in COLOURED}
    best = max(half, key=lambda name: half[name])
    pairs += [(f"{name}, half local", _percent(half[name])) for name in dict.fromkeys(
        (best, "synconfroute", "confidence")
    )]  # fmt: skip
    yield Figures(pairs)
    yield Text(
        "Figures are pass@1: the share of tasks whose answer, local or larger, passes its check."
    )
    claims = found.study.claims
    at = ", ".join(f"{threshold:.2f}" for threshold in claims.worse_at)
    yield Text(
        "“SynConfRoute is at least as good as confidence alone at the same threshold”: "
        + (f"not held, at {at}." if at else "held, at each of 101 thresholds.")
    )
    count = len(claims.rejected)
    yield Text(
        "“No right local answer is rejected by the validator”: "
        + (f"not held, {count} were." if count else "held.")
    )


def _curves(found: Findings) -> Iterator[Block]:
    drawn = {
        name: curve
        for name, curve in found.study.curves.items()
        if name not in {"always-local", "always-larger"}
    }
    shown = [name for name in (*COLOURED, "oracle") if name in drawn]
    yield Picture(
        curves(drawn),
        "curves",
        "Each strategy ranks the tasks by one score, out of fold where anything is fitted, and"
        " keeps the top share. Higher is better at any share; a single threshold hides that.",
        [(name, name) for name in shown] + [("other strategies", "other")],
    )
    order = sorted(drawn, key=lambda name: -area(drawn[name]))
    yield Table(
        ("strategy", "area", *(f"at {share:.0%} local" for share in _SHARES)),
        [
            (
                name,
                _percent(area(drawn[name])),
                *(_percent(drawn[name][round(100 * share)][1]) for share in _SHARES),
            )
            for name in order
        ],
        frozenset(index for index, name in enumerate(order) if name in COLOURED),
    )


def _strategies(found: Findings) -> Iterator[Block]:
    yield Text(_PROTOCOLS[found.protocol])
    rows = found.study.rows
    yield Table(
        ("strategy", "t", "pass@1", "95 %", "local", "right sent away", "of these invalid",
         "median s", "p90 s", "larger s", "p"),
        [_row(row, found.study) for row in rows],
        frozenset(index for index, row in enumerate(rows) if row.name in COLOURED),
    )  # fmt: skip
    yield Text(
        "t is the median of the thresholds picked on the other folds. Local is also the share of"
        " requests that stay private; the rest is what the larger model costs. p is McNemar's"
        " exact test against synconfroute."
    )


def _row(row: Row, study: Study) -> tuple[str, ...]:
    low, high = row.ci95
    pair = {row.name, "synconfroute"}
    against = next((each.p for each in study.compared if {each.first, each.second} == pair), None)
    return (
        row.name,
        _number(row.threshold, ".2f"),
        _percent(row.pass_at_1),
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{row.local_share:.0%}",
        str(row.false_escalations),
        str(row.false_rejections),
        _number(row.median_seconds, ".2f"),
        _number(row.p90_seconds, ".2f"),
        _number(row.larger_seconds, ".0f"),
        _number(against, ".3f"),
    )


def _failures(found: Findings) -> Iterator[Block]:
    ours = found.failures[0]
    yield Picture(
        bar(
            [
                ("right", ours.right, "good"),
                ("wrong and invalid", ours.wrong_invalid, "bad"),
                ("wrong and valid", ours.wrong - ours.wrong_invalid, "neither"),
            ]
        ),
        "failures",
        f"All {found.study.tasks:,} local answers, by the {ours.validator}.",
        [("right", "good"), ("wrong, invalid", "bad"), ("wrong, yet valid", "neither")],
        filled=True,
    )
    yield Text(
        "The paper's 46 % comes in two phrasings: of all wrong answers, those that are no valid"
        f" code (abstract); of those that are wrong although confident, at {PAPER:g} or more, the"
        " same (§4.3). The paper's validator parses the whole file; the server's asks whether the"
        " buffer can be gone on with."
    )
    yield Table(
        ("judged by", "wrong", "of these invalid", "confident, wrong", "of these invalid ", "right",
         "of these rejected"),
        [
            (
                each.validator,
                str(each.wrong),
                _of(each.wrong_invalid, each.wrong),
                str(each.sure_wrong),
                _of(each.sure_wrong_invalid, each.sure_wrong),
                str(each.right),
                str(len(each.rejected)),
            )
            for each in found.failures
        ],
    )  # fmt: skip
    if found.suspicions:
        yield Text("Evidence beside answers that are not invalid; one answer may have several:")
        yield Table(
            ("evidence", "wrong", "right"),
            [(each.kind, str(each.wrong), str(each.right)) for each in found.suspicions],
        )


def _complement(who: Complement) -> Iterator[Block]:
    parts = [
        ("both", who.both, "both"),
        ("local only", who.local_only, "local"),
        ("larger only", who.larger_only, "larger"),
        ("neither", who.neither, "neither"),
    ]
    yield Picture(
        bar(parts),
        "complement",
        f"Of the {who.solvable} tasks that either model has right,"
        f" {_of(who.local_only, who.solvable)} are right locally only and"
        f" {_of(who.larger_only, who.solvable)} by the larger model only.",
        [(f"{name}: {count}", kind) for name, count, kind in parts],
        filled=True,
    )


def _rejected(found: Findings) -> Iterator[Block]:
    for each in found.failures:
        yield Text(f"Right local answers that the {each.validator} calls invalid:")
        yield Listing(each.rejected, "None.")


def _made(found: Findings) -> Iterator[Block]:
    reading = {
        "raw": "as the benchmark reads them: leading line breaks dropped, of a line the first",
        "cleaned": "as the server's cleaning leaves them",
    }
    yield Text(f"Answers are judged {reading[found.text]}.")
    yield Table(
        ("", *(source.role for source in found.sources)),
        [
            ("model", *(source.model for source in found.sources)),
            *(
                (name.replace("_", " "), *(str(each.made.get(name, "–")) for each in found.sources))
                for name in _RECORDED
                if any(name in source.made for source in found.sources)
            ),
            (
                "ended by the limit of tokens",
                *(_number(each.cut_by_limit, ".1%") for each in found.sources),
            ),
        ],
    )
    for prompt in dict.fromkeys(source.prompt for source in found.sources if source.prompt):
        yield Text("The unified chat prompt, with a name in braces for what is filled in:")
        yield Quote(prompt)


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _of(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.1%})" if whole else str(part)
