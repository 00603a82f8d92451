"""All that a report is written from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.generation.voting import Vote
from synconfroute.evaluation.report.failures import Failures, Suspicion
from synconfroute.evaluation.report.given import Answers
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.latencies import Latencies
from synconfroute.evaluation.report.pairing import Pairing
from synconfroute.evaluation.routing.row import Row
from synconfroute.evaluation.routing.study import Protocol
from synconfroute.evaluation.shots.regressions import Arm as FewShot


@dataclass(frozen=True, slots=True)
class Failing:
    """How a local model's answers fail.

    Attributes:
        judged: its answers.
        failures: by validator, their own first.
        suspicions: evidence by kind.
    """

    judged: Judged
    failures: Sequence[Failures]
    suspicions: Sequence[Suspicion]


@dataclass(frozen=True, slots=True)
class Split:
    """Two models on one split of SAFIM.

    Attributes:
        pairing: the models.
        transferred: strategies as they were fitted on single lines, unchanged, by name; {} where
            there are no single lines of this local model and this larger one.
        fitted_on: what those were fitted on, in words.
    """

    pairing: Pairing
    transferred: Mapping[str, Row]
    fitted_on: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Answers under the paper's profile, read in three ways.

    Attributes:
        raw: as the benchmark reads them.
        unrepaired: without fences and special tokens, their indentation as it came.
        repaired: as the paper does, with its repair of the indentation.
    """

    raw: Judged
    unrepaired: Judged
    repaired: Judged


@dataclass(frozen=True, slots=True)
class Shots:
    """Answers with examples against the same model's without.

    Attributes:
        judged: with examples.
        zero: without any.
        compared: what they gain and lose, with the regressions' kinds; None where these cannot be
            told.
        why_not: why they cannot, one sentence.
    """

    judged: Judged
    zero: Judged
    compared: FewShot | None
    why_not: str


@dataclass(frozen=True, slots=True)
class Voted:
    """Several draws of one model's answers, voting.

    Attributes:
        draws: the first of them.
        votes: by how many vote, the first draw alone first.
        groups: the function of each task.
        greedy: the model's greedy answers to the same tasks: how many of them are right; None
            where there are none.
    """

    draws: Answers
    votes: Sequence[Vote]
    groups: Sequence[str]
    greedy: int | None


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found.

    Attributes:
        judged: all answers at hand, but those to the same that were made to compare levels.
        levels: all, those as well.
        pairings: two models each, on whole benchmarks of single or several lines.
        splits: two models each, on splits of SAFIM.
        failing: the local models' failures.
        repairs: answers under the paper's profile, with and without its repair.
        shots: arms with examples.
        voted: draws.
        latencies: how long models take.
        protocol: how fitting and testing were kept apart.
        command: that this was made with, without folders.
    """

    judged: Sequence[Judged]
    levels: Sequence[Judged]
    pairings: Sequence[Pairing]
    splits: Sequence[Split]
    failing: Sequence[Failing]
    repairs: Sequence[Repair]
    shots: Sequence[Shots]
    voted: Sequence[Voted]
    latencies: Latencies
    protocol: Protocol
    command: str
