"""One Python buffer: its history, and verdicts about what is inserted into it."""

from collections.abc import Callable

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python import judgement
from synconfroute.validators.python.dialect import other_language
from synconfroute.validators.python.history import History
from synconfroute.validators.python.hole import Hole, hole_in
from synconfroute.validators.verdict import Outcome, Verdict, unknown

_VALID = Verdict(Outcome.VALID, "the buffer parses with the text in it")
_OPEN = Verdict(Outcome.VALID, "the buffer will parse once the user has gone on from the text")
_NO_CODE = Verdict(Outcome.VALID, "the line holds no code")
_SO_FAR = Verdict(
    Outcome.VALID, "the text follows from what is above it; what is below it is broken anyway"
)


class PythonSession:
    """See `synconfroute.validators.session.Session`."""

    def __init__(self) -> None:
        """An empty buffer."""
        self._history = History()

    def update(self, text: str) -> None:
        """See `Session.update`."""
        self._history.update(text)

    def judge(self, insertion: Insertion) -> Verdict:
        """See `Session.judge`."""
        if other_language(insertion.prefix or insertion.text):
            return unknown("the cell is not in Python")
        self._history.update(insertion.prefix + insertion.suffix)
        cursor = len(insertion.prefix)
        hole = hole_in(self._history, cursor, whole_line=bool(insertion.line_end))
        text = insertion.text
        if judgement.outright(hole, text):
            return _VALID
        if judgement.no_code(hole, text):
            return _NO_CODE
        return _verdict(hole, insertion)


def _verdict(hole: Hole, insertion: Insertion) -> Verdict:
    """The verdict on an insertion with which the buffer does not parse as it stands."""
    text = insertion.text
    if not judgement.viable(hole, text):
        return _blamed(hole, insertion, None, judgement.viable)
    if judgement.not_code(text):
        why = "the text holds a mark that is no code"
        return _blamed(hole, insertion, why, judgement.viable)
    if judgement.odd(hole, text):
        why = "the line ends inside brackets where no line is broken"
        return _blamed(hole, insertion, why, judgement.viable)
    if judgement.repeats(hole, text, insertion.suffix):
        why = "the text ends in lines that stand right below it"
        return _blamed(hole, insertion, why, judgement.viable)
    if judgement.fits(hole, text):
        return _OPEN
    why = "what stands below no longer fits"
    return _blamed(hole, insertion, why, judgement.fits)


def _blamed(
    hole: Hole, insertion: Insertion, why: str | None, test: Callable[[Hole, str], bool]
) -> Verdict:
    """Invalid, if the hole is sound: if a harmless text does not fail where this one does."""
    if not judgement.sound(hole, test):
        if test is judgement.fits:
            return _SO_FAR
        return unknown("the code before the text is broken already")
    damage = judgement.damage(hole, insertion.text)
    first = insertion.prefix.count("\n", 0, hole.start) + 1
    if why is None:
        return Verdict(Outcome.INVALID, f"line {first + damage.line}: {damage.message}")
    last = first + (hole.head + insertion.text).rstrip("\n").count("\n")
    return Verdict(Outcome.INVALID, f"line {last}: {why}")
