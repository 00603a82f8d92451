"""The program that a task and an answer make, and what it must do to pass."""

from dataclasses import dataclass

from synconfroute.evaluation.datasets.task import Answers, RunToEnd, Task

_HOLE = "{{completion}}"


@dataclass(frozen=True, slots=True)
class Program:
    """A program to try.

    Attributes:
        language: LSP language id.
        source: all of it.
        cases: inputs, each with the outputs that are accepted; None: it must run to its end.
    """

    language: str
    source: str
    cases: tuple[tuple[str, tuple[str, ...]], ...] | None


def program_of(task: Task, text: str) -> Program:
    """The program with the text in the hole of the task.

    Raises:
        TypeError: the task is not checked by running.
    """
    if isinstance(task.check, RunToEnd):
        source = f"{task.prefix}{text}{task.below}{task.check.tail}"
        return Program(task.language, source, None)
    if isinstance(task.check, Answers):
        source = task.check.program.replace(_HOLE, text, 1)
        return Program(task.language, source, task.check.cases)
    raise TypeError("the task is not checked by running")


def same(text: str, truth: str) -> bool:
    """Is the text the truth, but for white space?"""
    return "".join(text.split()) == "".join(truth.split())


def accepted(output: bytes, outputs: tuple[str, ...]) -> bool:
    """Is a program's output one of those accepted? Words are compared, whatever their case."""
    words = output.decode("utf-8", "replace").lower().split()
    return any(words == each.lower().split() for each in outputs)
