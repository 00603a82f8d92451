"""The rule that makes a verdict: the whole buffer, against the buffer with the hole neutralised.

A pure function of language and texts. It runs in the parser process: nothing else should call it
on text that it does not trust.
"""

from collections.abc import Callable

from synconfroute.validators.admission import obstacle
from synconfroute.validators.grammar import Grammar, Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import grammar_of, no_parser
from synconfroute.validators.verdict import Outcome, Verdict, unknown

LATE = "the parser did not finish in time"
_VALID = Verdict(Outcome.VALID, "the buffer parses with the text in it")


def judge(
    language: str, insertion: Insertion, *, in_time: Callable[[], bool] = lambda: True
) -> Verdict:
    """Say what inserting the text does to the buffer.

    Valid: the whole buffer parses. Invalid: it does not, but would with a harmless text in the
    hole. Unknown: neither parses, or no parser can say. Raises nothing.

    Args:
        language: LSP language id.
        insertion: the buffer and the text.
        in_time: is there time for another parse? Where there is none, the verdict is unknown.
    """
    reason = no_parser(language) or obstacle(insertion)
    if reason is not None:
        return unknown(reason)
    try:
        return _compare(grammar_of(language), insertion, in_time)
    except Undecidable as error:
        return unknown(str(error))


def _compare(grammar: Grammar, insertion: Insertion, in_time: Callable[[], bool]) -> Verdict:
    fault = grammar.fault(insertion)
    if fault is None:
        return _VALID
    for placeholder in grammar.placeholders(insertion):
        if not in_time():
            return unknown(LATE)
        if grammar.parses(insertion.replaced(placeholder).buffer):
            return Verdict(Outcome.INVALID, f"line {fault.line}: {fault.message}")
    return unknown("the buffer does not parse with a harmless text in the hole either")
