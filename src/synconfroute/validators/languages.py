"""Which parser reads which language."""

from functools import cache

from synconfroute.validators.grammar import Grammar
from synconfroute.validators.session import Session, Witness
from synconfroute.validators.simple import WholeBuffer

LANGUAGES = ("cpp", "java", "python")
"""The LSP language ids that have a parser. C has none: it uses words as names that C++ reserves."""


WARMED = LANGUAGES
"""Their parsers are loaded when the process starts; the others when first asked for."""


def no_parser(language: str) -> str | None:
    """Why nothing can be said about a language, in one sentence; None if something can."""
    if language in LANGUAGES:
        return None
    return f"no parser for {language}" if language else "no parser for a file without a language"


def session_of(language: str) -> Session:
    """A new session of one of `LANGUAGES`; its grammar is loaded when first asked for.

    Raises:
        KeyError: the language is none of them.
    """
    return WholeBuffer(_grammar_of(language))


def witness_of(language: str) -> Witness | None:
    """A new witness; None where the language has none."""
    if language == "python":
        from synconfroute.validators.evidence.python.witness import PythonWitness

        return PythonWitness()
    return None


@cache
def _grammar_of(language: str) -> Grammar:
    if language == "python":
        from synconfroute.validators.whole_python import PYTHON

        return PYTHON
    from synconfroute.validators import cpp, java

    return {"cpp": cpp.grammar, "java": java.grammar}[language]()
