"""A session without memory: the whole buffer, against the buffer with the hole neutralised."""

from synconfroute.validators.grammar import Grammar
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Outcome, Verdict, unknown

_VALID = Verdict(Outcome.VALID, "the buffer parses with the text in it")


class WholeBuffer:
    """Valid: the whole buffer parses. Invalid: it would with a harmless text in the hole."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def update(self, text: str) -> None:
        """See `Session.update`. Nothing is kept."""

    def judge(self, insertion: Insertion) -> Verdict:
        """See `Session.judge`."""
        fault = self._grammar.fault(insertion)
        if fault is None:
            return _VALID
        for placeholder in self._grammar.placeholders(insertion):
            if self._grammar.parses(insertion.replaced(placeholder).buffer):
                return Verdict(Outcome.INVALID, f"line {fault.line}: {fault.message}")
        return unknown("the buffer does not parse with a harmless text in the hole either")
