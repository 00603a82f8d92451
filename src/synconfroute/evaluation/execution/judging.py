"""Judges answers: runs the programs that they make, several at a time."""

import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Answers, Same, Task
from synconfroute.evaluation.execution import harness
from synconfroute.evaluation.execution.languages import Refusal, Runnable, make
from synconfroute.evaluation.execution.limits import Limits, within
from synconfroute.evaluation.execution.process import Ended, Processes
from synconfroute.evaluation.execution.program import Program, accepted, program_of, same
from synconfroute.evaluation.execution.results import Results
from synconfroute.evaluation.execution.walls import Walls, strongest
from synconfroute.server.places import results_folder

Outcome = Literal["passed", "failed", "timeout", "compile error", "too much output", "forbidden"]
"""`forbidden`: it did what the walls refuse, such as to start another program."""

_SIGKILL, _SIGXCPU, _SIGSYS = 9, 24, 31  # as on Linux, x86 and ARM


@dataclass(frozen=True, slots=True)
class Result:
    """What an answer came to.

    Attributes:
        passed: it passed its task's check.
        outcome: how.
        seconds: that its programs ran, compiler included, on the clock.
        cached: it was known from an earlier run.
    """

    passed: bool
    outcome: Outcome
    seconds: float
    cached: bool


def judge(
    pairs: Iterable[tuple[Task, str]],
    *,
    workers: int | None = None,
    seconds: float = 10.0,
    cache: bool = True,
    on_done: Callable[[Result], None] | None = None,
    walls: Walls | None = None,
) -> list[Result]:
    """Judge answers, each by its task's check, in the order given.

    The very truth of a program that answers (SAFIM) passes without a run, as in the benchmark's
    own evaluation: its comparison of words rejects some truths, such as 0.0 where 0 is expected.

    Args:
        pairs: tasks with the texts for their holes.
        workers: how many at a time; as many as there are processors by default.
        seconds: processor time for a run of a program; three times that on the clock.
        cache: take what is known from earlier runs, and keep what is found.
        on_done: called in another thread as each is judged, in any order.
        walls: what stands between the programs and the machine; the strongest there are by default.

    Raises:
        EvaluationError: a compiler is missing, or programs cannot be started.
        KeyboardInterrupt: the user stopped it; nothing is left running.
    """
    processes = Processes(walls or strongest())
    known = Results(results_folder()) if cache else None
    judging = _Judging(processes, within(seconds), known)

    def one(pair: tuple[Task, str]) -> Result:
        result = judging.result(*pair)
        if on_done is not None:
            on_done(result)
        return result

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        try:
            return list(pool.map(one, pairs))
        except BaseException:
            processes.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


class _Judging:
    """Judges one answer after the other; may be used from several threads."""

    def __init__(self, processes: Processes, limits: Limits, known: Results | None) -> None:
        self._processes, self._limits, self._known = processes, limits, known

    def result(self, task: Task, text: str) -> Result:
        if isinstance(task.check, Same):
            passed = same(text, task.truth)
            return Result(passed, "passed" if passed else "failed", 0.0, cached=False)
        if isinstance(task.check, Answers) and text == task.truth:
            return Result(passed=True, outcome="passed", seconds=0.0, cached=False)
        program = program_of(task, text)
        key = self._known.key(program, self._limits, self._processes.walls) if self._known else ""
        found = self._known.get(key) if self._known else None
        if found is not None and found[0] in get_args(Outcome):
            outcome = cast(Outcome, found[0])
            return Result(outcome == "passed", outcome, found[1], cached=True)
        started = time.monotonic()
        outcome, certain = self._outcome(program)
        seconds = time.monotonic() - started
        if self._known and certain:
            self._known.put(key, outcome, seconds)
        return Result(outcome == "passed", outcome, seconds, cached=False)

    def _outcome(self, program: Program) -> tuple[Outcome, bool]:
        """The outcome, and whether it would be the same on another day."""
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
                folder = Path(name).resolve()
                made = make(program, folder, self._limits, self._processes)
                if isinstance(made, Refusal):
                    return _how(made.ended, "compile error")
                if program.cases is None:
                    return self._to_end(made, folder)
                return self._answers(made, folder, program.cases)
        except OSError as error:
            said = error.strerror or "the system refuses"
            raise EvaluationError(f"Programs cannot be run here: {said}.") from error

    def _to_end(self, made: Runnable, folder: Path) -> tuple[Outcome, bool]:
        token = secrets.token_hex(16).encode() if made.token else b""
        ended = self._run(made, folder, token)
        if ended.code == 0 and (not made.token or ended.errors.endswith(token)):
            return "passed", True
        return _how(ended, "failed")

    def _answers(
        self, made: Runnable, folder: Path, cases: tuple[tuple[str, tuple[str, ...]], ...]
    ) -> tuple[Outcome, bool]:
        for given, outputs in cases:
            ended = self._run(made, folder, given.encode())
            if ended.code != 0 or not accepted(ended.output, outputs):
                return _how(ended, "failed")
        return "passed", True

    def _run(self, made: Runnable, folder: Path, stdin: bytes) -> Ended:
        return self._processes.run(
            made.command, folder, made.limits, stdin=stdin, readable=made.readable
        )


def _how(ended: Ended, otherwise: Outcome) -> tuple[Outcome, bool]:
    """The outcome of a program that did not pass, and whether it would always be this."""
    if ended.by == "too much output":
        return "too much output", True
    if ended.by == "the clock":
        return "timeout", False  # a busy machine may be the cause
    if ended.signal == _SIGXCPU:
        return "timeout", True
    if (
        ended.by == "what it left behind"
        or ended.signal == _SIGSYS
        or ended.code == harness.FORBIDDEN
    ):
        return "forbidden", True
    if ended.code == harness.NOT_COMPILED:
        return "compile error", True
    return otherwise, ended.signal != _SIGKILL  # a machine without memory may be the cause
