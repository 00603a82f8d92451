"""What the user goes on to type is never invalid."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.treesitter import cpp, java
from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.verdict import Outcome
from tests.validators.edits import states
from tests.validators.treesitter.sources import CPP, JAVA

SOURCES = [("java", JAVA), ("cpp", CPP)]
_SESSIONS = {"java": java.session, "cpp": cpp.session}


def session(language: str) -> TreeSitterSession:
    """A new session of a language."""
    return _SESSIONS[language]()


@pytest.mark.parametrize(("language", "source"), SOURCES)
@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=150, deadline=None)
def test_a_retyped_hunk_is_never_invalid(language: str, source: str, seed: int) -> None:
    """Wherever a hunk is typed again, the rest of the line is not invalid, whatever is known."""
    for state in states(source, seed):
        insertion = Insertion(state.prefix, state.truth, state.suffix)
        knows = session(language)
        knows.update(state.before)
        knows.update(state.buffer)
        assert _outcome(knows, insertion) is not Outcome.INVALID
        assert _outcome(session(language), insertion) is not Outcome.INVALID


def _outcome(session: TreeSitterSession, insertion: Insertion) -> Outcome:
    """What a machine that is busy has no time for is unknown."""
    try:
        return session.judge(insertion).outcome
    except Undecidable:
        return Outcome.UNKNOWN
