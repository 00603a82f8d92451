"""A task: a hole with the code that belongs there, and how an answer is checked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunToEnd:
    """The program passes if it ends with exit code 0 (HumanEval).

    Attributes:
        tail: what stands behind the suffix: the tests and their call.
    """

    tail: str


@dataclass(frozen=True, slots=True)
class Answers:
    """The program passes if it answers each input with one of the outputs accepted (SAFIM).

    Attributes:
        cases: pairs of an input and the outputs that are accepted for it.
        program: the whole program, with `{{completion}}` where the answer goes.
    """

    cases: tuple[tuple[str, tuple[str, ...]], ...]
    program: str


@dataclass(frozen=True, slots=True)
class Same:
    """The answer passes if it is the truth but for white space (never averaged with executed)."""


@dataclass(frozen=True, slots=True)
class Task:
    """A hole of a benchmark or of a repository.

    Attributes:
        id: unlike any other of its `bench`.
        bench: the benchmark's name, such as "humaneval-single-line".
        language: LSP language id.
        group: what must stay on one side of a split between fitting and testing: the function.
        prefix: the text before the hole.
        suffix: the text after the hole, as the benchmark has it.
        truth: the code that belongs there, without the line break at its end.
        whole_lines: the hole is whole lines with their line break: a buffer with the hole open,
            and a program with an answer in it, have a line break before `suffix`.
        check: how an answer is checked.
    """

    id: str
    bench: str
    language: str
    group: str
    prefix: str
    suffix: str
    truth: str
    whole_lines: bool
    check: RunToEnd | Answers | Same

    @property
    def below(self) -> str:
        """What follows the hole in an open buffer: the suffix, with the hole's own line break."""
        return f"\n{self.suffix}" if self.whole_lines else self.suffix
