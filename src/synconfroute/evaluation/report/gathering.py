"""Finds all that a report is written from: judges, executes, replays and compares the answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.motivating import BENCH as TABLE_1
from synconfroute.evaluation.datasets.safim import SAFIM
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.generation.voting import SIZES, texts_of, vote
from synconfroute.evaluation.report.arms import Arm
from synconfroute.evaluation.report.failures import Failures, failures, suspicions
from synconfroute.evaluation.report.findings import Failing, Repair, Shots, Split, Voted
from synconfroute.evaluation.report.given import Answers
from synconfroute.evaluation.report.judged import Judge, Judged
from synconfroute.evaluation.report.naming import Named
from synconfroute.evaluation.report.pairing import (
    Fitting,
    Pairing,
    examples_of,
    fits,
    matched,
    pairing,
)
from synconfroute.evaluation.routing.answers import passes
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.replay import Routed, picked
from synconfroute.evaluation.routing.row import Row, row
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.evaluation.routing.study import Protocol
from synconfroute.evaluation.shots.regressions import Arm as FewShot

if TYPE_CHECKING:
    from synconfroute.evaluation.shots.pairing import Answers as Written

_VALIDATORS = {"live": "server's validator", "paper": "paper's validator"}
_CARRIED_OVER = ("confidence", "synconfroute", "score")
SINGLE_LINE = "humaneval-single-line"


def pairs_of(
    judged: Sequence[Judged], benches: Callable[[str], bool]
) -> Iterator[tuple[Judged, Judged]]:
    """Which answers are set against each other, local and larger, in the order of the models.

    Args:
        judged: all answers.
        benches: which benchmarks are meant.
    """
    chosen = [each for each in judged if benches(each.answers.bench)]
    usual = [each for each in chosen if each.answers.model.usual] or chosen
    sides = {
        role: list(dict.fromkeys(
            each.answers.model for each in usual if each.answers.role == role
        ))
        for role in ("local", "larger")
    }  # fmt: skip
    for local in sides["local"]:
        for larger in sides["larger"]:
            for bench in dict.fromkeys(each.answers.bench for each in usual):
                ours, theirs = (
                    [
                        each
                        for each in usual
                        if (each.answers.role, each.answers.model, each.answers.bench)
                        == (role, model, bench)
                    ]
                    for role, model in (("local", local), ("larger", larger))
                )
                yield from matched(ours, theirs)


def without_doubles(judged: Sequence[Judged]) -> list[Judged]:
    """The answers, but those made to compare levels where others of the same model are at hand."""
    whole = {_same(each.answers) for each in judged if not each.answers.weighed}
    return [each for each in judged if not each.answers.weighed or _same(each.answers) not in whole]


def _same(answers: Answers) -> tuple[str, Named, str, Arm]:
    return answers.role, answers.model, answers.bench, answers.arm


def routed_pairs(judged: Sequence[Judged], fitting: Fitting, protocol: Protocol) -> list[Pairing]:
    """Two models each on benchmarks that are neither SAFIM nor Table 1; most tasks first."""
    found = [
        pairing(ours, theirs, fitting, protocol)
        for ours, theirs in pairs_of(judged, lambda bench: bench not in {*SAFIM, TABLE_1})
    ]
    return [each for each in found if each is not None]


def safim_pairs(judged: Sequence[Judged], lines: Sequence[Pairing]) -> list[Split]:
    """Two models each on the splits of SAFIM.

    Args:
        judged: all answers.
        lines: the pairs on other benchmarks: what was fitted there is carried over.
    """
    found = []
    for ours, theirs in pairs_of(judged, SAFIM.__contains__):
        made = pairing(ours, theirs, lambda _: strategies(None), "cv")
        if made is None:
            continue
        source = _fitted_on(made, lines)
        rows = _carried_over(source.examples, made.examples) if source else {}
        said = (
            f"{len(source.examples):,} single lines ({source.local.answers.arm.label})"
            if source
            else ""
        )
        found.append(Split(made, rows, said))
    return found


def _fitted_on(split: Pairing, lines: Sequence[Pairing]) -> Pairing | None:
    """Single lines of the same models: by the same prompt if there are such; the most tasks."""
    models = (split.local.answers.model, split.larger.answers.model)
    same = [
        each
        for each in lines
        if each.bench == SINGLE_LINE
        and (each.local.answers.model, each.larger.answers.model) == models
        and fits(each.examples)
    ]
    prompt = split.local.answers.arm.prompt
    order = sorted(
        same, key=lambda each: (each.local.answers.arm.prompt != prompt, -len(each.examples))
    )
    return next(iter(order), None)


def _carried_over(fitted: Sequence[Example], tested: Sequence[Example]) -> dict[str, Row]:
    """Strategies fitted on some tasks, their thresholds too, and tested on others unchanged."""
    found = {}
    for strategy in strategies(None):
        if strategy.name not in _CARRIED_OVER:
            continue
        threshold, rule = picked(strategy, fitted), strategy.fit(fitted)
        routed = [Routed(each, rule.score(each.sight), threshold) for each in tested]
        found[strategy.name] = row(strategy, routed)
    return found


async def failing(
    lines: Sequence[Pairing], judge: Judge, complain: Callable[[str], None]
) -> list[Failing]:
    """How the local models of these pairs fail, by their own validator and by the other."""
    found = []
    for judged in {id(each.local): each.local for each in lines}.values():
        examples = examples_of(judged, judged)
        own = [each.outcome for each in judged.verdicts]
        counted = [failures(examples, own, _VALIDATORS[judged.validator])]
        other = "paper" if judged.validator == "live" else "live"
        try:
            counted.append(await _by_other(judged, examples, judge, other))
        except EvaluationError as error:
            complain(f"Without the {_VALIDATORS[other]}: {error}")
        found.append(Failing(judged, counted, suspicions(examples)))
    return found


async def _by_other(
    judged: Judged, examples: Sequence[Example], judge: Judge, other: str
) -> Failures:
    verdicts = judge.verdicts_by(other)
    outcomes = []
    for stored, text, own in zip(judged.answers.stored, judged.texts, judged.verdicts, strict=True):
        said = await verdicts.verdict(hole_of(stored.task), text) if text else own
        outcomes.append(said.outcome)
    return failures(examples, outcomes, _VALIDATORS[other])


async def repairs(judged: Sequence[Judged], judge: Judge) -> list[Repair]:
    """Answers under the paper's profile to single lines, read with and without its repair."""
    found = []
    for each in judged:
        answers = each.answers
        if answers.arm.profile != "paper" or not answers.arm.plain or answers.bench != SINGLE_LINE:
            continue
        bare = [replace(stored, read_as="unrepaired") for stored in answers.stored]
        found.append(
            Repair(
                await judge.judged(answers, text="raw"),
                await judge.judged(answers, text="unrepaired", stored=bare),
                await judge.judged(answers, text="cleaned"),
            )
        )
    return found


def few_shot(judged: Sequence[Judged], data: Path, files: Sequence[Path]) -> list[Shots]:
    """Arms with examples against the same model's answers without.

    Args:
        judged: all answers.
        data: the folder with the benchmarks.
        files: all files given; the answers that stood in examples are looked for in them.
    """
    found = []
    for each in judged:
        if not each.answers.arm.shots or each.answers.arm.temperature:
            continue
        zero = _without_examples(each.answers, judged)
        if zero is None:
            continue
        if not set(zero.by_task) & set(each.by_task):
            continue
        try:
            found.append(Shots(each, zero, _compared(each, zero, data, files), ""))
        except EvaluationError as error:
            found.append(Shots(each, zero, None, str(error)))
    return found


def _without_examples(answers: Answers, judged: Sequence[Judged]) -> Judged | None:
    plain = replace(answers.arm, shots=0, examples="", examples_by="")
    wanted = (answers.model, answers.bench, plain)
    same = [
        each
        for each in judged
        if (each.answers.model, each.answers.bench, each.answers.arm) == wanted
    ]
    return max(same, key=lambda each: each.count, default=None)


def _compared(each: Judged, zero: Judged, data: Path, files: Sequence[Path]) -> FewShot:
    from synconfroute.evaluation.shots.pairing import Pairing as Joined
    from synconfroute.evaluation.shots.regressions import compare

    written = _written(each.answers.arm.examples_by, data, files)
    pairs = Joined(data, zero.answers.stored, written).pairs(each.answers.stored)
    known = _Known([*zero.answers.stored, *each.answers.stored])
    return compare(each.answers.arm.few_shot, pairs, known.execute)[0]


def _written(by: str, data: Path, files: Sequence[Path]) -> "Mapping[str, Written]":
    """What a model wrote that stands in examples, by its file's digest; {} for the truth."""
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import digest_of_file, read_predictions

    digest = by.rpartition("(")[2].rstrip(")")
    for file in files if by else ():
        if digest_of_file(file) == digest:
            stored = with_tasks(data, list(read_predictions(file)))
            return {digest: {(each.task.bench, each.task.id): each.cleaned for each in stored}}
    return {}


class _Known:
    """Executes texts, but for those whose outcome the answers' own files know."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        self._stored = {(each.task.bench, each.task.id, each.cleaned): each for each in stored}
        self._other = {(each.task.bench, each.task.id): each for each in stored}

    def execute(self, pairs: Sequence[tuple[Task, str]]) -> Sequence[bool]:
        """Whether each text passes."""
        stored, texts = [], []
        for task, text in pairs:
            key = (task.bench, task.id)
            stored.append(self._stored.get((*key, text)) or self._other[key])
            texts.append(text)
        return passes(stored, texts)


def voted(draws: Sequence[Answers], judged: Sequence[Judged]) -> list[Voted]:
    """Draws of one model, asked for in one way, voting.

    Args:
        draws: answers above temperature 0.
        judged: all others: greedy ones stand beside.
    """
    alike: dict[tuple[Named, str, Arm], list[Answers]] = {}
    for each in draws:
        alike.setdefault((each.model, each.bench, each.arm), []).append(each)
    found = [
        _voted(sorted(each, key=lambda one: one.seed or 0), judged)
        for each in alike.values()
        if len(each) >= min(SIZES)
    ]
    return [each for each in found if each.groups]


def _voted(draws: Sequence[Answers], judged: Sequence[Judged]) -> Voted:
    rows = [{stored.task.id: stored for stored in each.stored} for each in draws]
    common = [name for name in rows[0] if all(name in each for each in rows)]
    ballots = [[each[name] for each in rows] for name in common]
    stored = [one for ballot in ballots for one in ballot]
    texts = [text for ballot in texts_of(ballots) for text in ballot]
    keys = [(one.task.bench, one.task.id, text) for one, text in zip(stored, texts, strict=True)]
    known = dict(zip(keys, passes(stored, texts), strict=True))
    sizes = [1, *(size for size in SIZES if size <= len(draws))] if common else []
    return Voted(
        draws[0],
        [vote(ballots, size, known) for size in sizes],
        [ballot[0].task.group for ballot in ballots],
        _greedy(draws[0], common, judged),
    )


def _greedy(answers: Answers, names: Sequence[str], judged: Sequence[Judged]) -> int | None:
    """How many of the same tasks the model has right at temperature 0."""
    wanted = (answers.model, answers.bench, replace(answers.arm, temperature=0.0))
    for each in judged:
        if (each.answers.model, each.answers.bench, each.answers.arm) == wanted:
            right = each.by_task
            if all(name in right for name in names):
                return sum(right[name] for name in names)
    return None
