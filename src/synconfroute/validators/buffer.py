"""One buffer with its language's parser and witness: told what it holds, asked what a text does."""

from dataclasses import replace

from synconfroute.validators.admission import Admission
from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import session_of, witness_of
from synconfroute.validators.session import Session, Witness
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown


class Buffer:
    """A buffer over its life. Lines end with LF; there is no byte order mark.

    It belongs into the parser process: nothing else should show untrusted text to a parser.
    """

    def __init__(self, language: str) -> None:
        """Load the language's parser.

        Raises:
            KeyError: the language has none.
            ImportError: its grammar is not installed.
        """
        self._language = language
        self._session: Session = session_of(language)
        self._witness: Witness | None = witness_of(language)
        self._text = ""
        self._admission = Admission("")
        self._failure: str | None = None
        self._hole: tuple[int, Insertion] | None = None

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now. Raises nothing."""
        self._text, self._hole, self._failure = text, None, None
        self._admission = Admission(text)
        if self._admission.obstacle is not None:
            return
        try:
            self._session.update(text)
            if self._witness is not None:
                self._witness.update(text)
        except Exception as error:
            # What the parser was at is in no known state: the next text begins anew.
            self._session, self._witness = session_of(self._language), witness_of(self._language)
            self._failure = f"the {self._language} parser failed: {type(error).__name__}"

    def judge(self, offset: int, text: str) -> Verdict:
        """Say what inserting a text does, with evidence where it is valid. Raises nothing.

        Args:
            offset: characters of the buffer before the hole.
            text: lines end with LF.
        """
        reason = self._failure or self._admission.obstacle_to(text)
        if reason is not None:
            return unknown(reason)
        insertion = self._insertion(offset, text)
        try:
            verdict = self._session.judge(insertion)
        except Undecidable as error:
            return unknown(str(error))
        except Exception as error:
            return unknown(f"the {self._language} parser failed: {type(error).__name__}")
        if verdict.outcome is not Outcome.VALID:
            return verdict
        return replace(verdict, evidence=(*verdict.evidence, *self._evidence(insertion)))

    def _insertion(self, offset: int, text: str) -> Insertion:
        """Texts follow one another in the same hole: a long buffer is cut there only once."""
        if self._hole is None or self._hole[0] != offset:
            self._hole = offset, Insertion(self._text[:offset], "", self._text[offset:])
        return self._hole[1].replaced(text)

    def _evidence(self, insertion: Insertion) -> tuple[Evidence, ...]:
        if self._witness is None:
            return ()
        try:
            return self._witness.find(insertion)
        except Exception:
            return ()  # a witness that fails is in doubt
