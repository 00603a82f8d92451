"""What a language's parser is to the rule."""

from dataclasses import dataclass
from typing import Protocol

from synconfroute.validators.insertion import Insertion


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a buffer stops being code. Holds no source code.

    Attributes:
        line: 1-based line.
        message: what is wrong there, such as "unexpected indent".
    """

    line: int
    message: str


class Undecidable(Exception):
    """The parser gives up on a buffer, which says nothing about it; `str` says why."""


class Grammar(Protocol):
    """The syntax of one language. Buffers are those that `admission` lets pass."""

    def parses(self, buffer: str) -> bool:
        """Is this whole buffer code?

        Raises:
            Undecidable: the parser gives up.
        """
        ...

    def fault(self, insertion: Insertion) -> Fault | None:
        """Find what is wrong with the buffer, as near to the text in it as can be; None: it parses.

        Raises:
            Undecidable: the parser gives up.
        """
        ...

    def placeholders(self, insertion: Insertion) -> tuple[str, ...]:
        """Harmless texts for this hole, the likeliest to parse first.

        Their number has a fixed bound: every one may cost a parse of the buffer.
        """
        ...
