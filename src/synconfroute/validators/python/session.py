"""One Python buffer: its history, and verdicts about what is inserted into it."""

import re

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python.dialect import other_language
from synconfroute.validators.python.history import History
from synconfroute.validators.python.hole import holes_in
from synconfroute.validators.python.judgement import Ground, Trial
from synconfroute.validators.python.syntax import Parser, TooMuch
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown

_MARK = re.compile(
    r"<[|｜][\w▁. -]*[|｜]>|</?(?:s|EOT|EOD|PRE|SUF|MID|eos|end_of_turn|fim_\w+|code_\w+)>"
    r"|^[ \t]*(?:```|~~~)",
    re.MULTILINE,
)
"""What models write around code and at its end."""
_FIRST_LINE = 100
"""Characters that tell which language a notebook's cell is in."""
_INDENTATION = ("unexpected indent", "unindent does not match")
_VALID = Verdict(Outcome.VALID, "the buffer parses with the text in it")
_NO_CODE = Verdict(Outcome.VALID, "the line holds no code")
_OPEN = "the buffer will parse once the user has gone on from the text"
_SO_FAR = "the text follows from what is above it; what is below it is broken anyway"


class PythonSession:
    """See `synconfroute.validators.session.Session`."""

    def __init__(self) -> None:
        """An empty buffer."""
        self._history = History()
        self._holes: dict[tuple[int, bool], list[Ground]] = {}
        self._holes_of = ""

    def update(self, text: str) -> None:
        """See `Session.update`."""
        self._history.update(text)

    def judge(self, insertion: Insertion) -> Verdict:
        """See `Session.judge`. With no text in it, a hole is also prepared for the texts to come.

        Valid, too, where what is missing yet is what the user would go on to type. Unknown only
        where the code before the hole is broken, or in another language.
        """
        begin = insertion.prefix[:_FIRST_LINE] + insertion.text[:_FIRST_LINE]
        if other_language(begin + insertion.suffix[:_FIRST_LINE]):
            return unknown("the cell is not in Python")
        grounds = self._grounds(insertion)
        if not insertion.text:
            for ground in grounds:
                ground.prepare()
        verdicts = []
        parser = Parser()
        for ground in grounds:
            verdicts.append(_verdict(ground, insertion, parser))
            if verdicts[-1].outcome is Outcome.VALID:
                return verdicts[-1]
        return next((each for each in verdicts if each.outcome is Outcome.UNKNOWN), verdicts[0])

    def _grounds(self, insertion: Insertion) -> list[Ground]:
        """What the hole may be; found once, since several texts are judged in it."""
        self._history.know(insertion.prefix, insertion.suffix)
        if self._holes_of is not self._history.text:
            self._holes_of = self._history.text
            self._holes.clear()
        cursor, whole_line = len(insertion.prefix), bool(insertion.line_end)
        if (cursor, whole_line) not in self._holes:
            holes = holes_in(self._history, cursor, whole_line=whole_line)
            self._holes[cursor, whole_line] = [Ground(hole) for hole in holes]
        return self._holes[cursor, whole_line]


def _verdict(ground: Ground, insertion: Insertion, parser: Parser) -> Verdict:
    trial = Trial(ground.hole, insertion.text, parser)
    if trial.outright():
        return _VALID
    if trial.no_code():
        return _NO_CODE
    return _blame(trial, ground, insertion)


def _blame(trial: Trial, ground: Ground, insertion: Insertion) -> Verdict:
    """The verdict on a text with which the buffer does not parse as it stands."""
    try:
        damage = _damage(trial, insertion)
    except TooMuch:
        return unknown("too much is open around the text")
    if damage and damage[1].startswith(_INDENTATION) and trial.indented_as_others(damage[0]):
        return _open(_SO_FAR, insertion)
    test = Trial.viable if damage else Trial.fits
    if damage is None:
        damage = insertion.text.rstrip().count("\n"), "the lines below no longer fit"
    try:
        if test is Trial.fits and trial.fits():
            return _open(_OPEN, insertion)
        if ground.passes(test):
            line = insertion.lines.start + damage[0]
            return Verdict(Outcome.INVALID, f"line {line}: {damage[1]}")
    except TooMuch:
        pass
    if test is Trial.fits:
        return _open(_SO_FAR, insertion)
    return unknown("the code before the text is broken already")


def _open(reason: str, insertion: Insertion) -> Verdict:
    """Valid, for a reason, and unfinished."""
    line = insertion.lines.start + insertion.text.rstrip().count("\n")
    message = f"Line {line} and the lines below do not parse until more is written between them."
    return Verdict(Outcome.VALID, reason, (Evidence("open", message, line),))


def _damage(trial: Trial, insertion: Insertion) -> tuple[int, str] | None:
    """What a text breaks whatever stands behind it: on which of its lines, counted from 0, and how.

    Raises:
        TooMuch: there is no time to say.
    """
    text = insertion.text
    last = text.rstrip().count("\n")
    if (mark := _MARK.search(text)) is not None:
        return text.count("\n", 0, mark.start()), "a mark of the model, which is no code"
    if not trial.viable():
        why, line = trial.fault()
        return line, why
    if trial.odd():
        return last, "what opens on this line is not closed"
    if trial.repeats(insertion.suffix):
        return last, "the lines right below are repeated"
    return None
