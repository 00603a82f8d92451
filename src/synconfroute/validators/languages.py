"""Which parser reads which language."""

from functools import cache

from synconfroute.validators.grammar import Grammar

LANGUAGES = ("cpp", "java", "python")
"""The LSP language ids that have a parser. C has none: it uses words as names that C++ reserves."""


def no_parser(language: str) -> str | None:
    """Why nothing can be said about a language, in one sentence; None if something can."""
    if language in LANGUAGES:
        return None
    return f"no parser for {language}" if language else "no parser for a file without a language"


@cache
def grammar_of(language: str) -> Grammar:
    """The grammar of one of `LANGUAGES`, loaded when first asked for.

    Raises:
        KeyError: the language is none of them.
    """
    if language == "python":
        from synconfroute.validators.python import PYTHON

        return PYTHON
    from synconfroute.validators import cpp, java

    return {"cpp": cpp.grammar, "java": java.grammar}[language]()
