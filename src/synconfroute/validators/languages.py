"""Which parser reads which language, and which witness."""

from importlib import import_module
from typing import cast

from synconfroute.validators.session import Session, Witness

_SESSIONS = {
    "c": ("treesitter.c", "session"),
    "cpp": ("treesitter.cpp", "session"),
    "csharp": ("treesitter.csharp", "session"),
    "go": ("treesitter.go", "session"),
    "java": ("treesitter.java", "session"),
    "javascript": ("treesitter.javascript", "session"),
    "javascriptreact": ("treesitter.javascript", "session"),
    "kotlin": ("treesitter.kotlin", "session"),
    "php": ("treesitter.php", "session"),
    "python": ("python", "session"),
    "ruby": ("treesitter.ruby", "session"),
    "rust": ("treesitter.rust", "session"),
    "shellscript": ("treesitter.bash", "session"),
    "typescript": ("treesitter.typescript", "session"),
    "typescriptreact": ("treesitter.tsx", "session"),
}
"""LSP language ids, and which function of which module of this package makes a session."""

LANGUAGES = tuple(_SESSIONS)
"""The LSP language ids that have a parser."""

WARMED = ("cpp", "java", "python")
"""Their parsers are loaded when the process starts; the others when first asked for."""

GRAMMARS = (
    "tree_sitter",
    "tree_sitter_bash",
    "tree_sitter_c",
    "tree_sitter_c_sharp",
    "tree_sitter_cpp",
    "tree_sitter_go",
    "tree_sitter_java",
    "tree_sitter_javascript",
    "tree_sitter_kotlin",
    "tree_sitter_php",
    "tree_sitter_ruby",
    "tree_sitter_rust",
    "tree_sitter_typescript",
)
"""The packages that the parsers need."""


def no_parser(language: str) -> str | None:
    """Why nothing can be said about a language, in one sentence; None if something can."""
    if language in LANGUAGES:
        return None
    return f"no parser for {language}" if language else "no parser for a file without a language"


def session_of(language: str) -> Session:
    """A new session of one of `LANGUAGES`; the grammar is loaded at the first.

    Raises:
        KeyError: the language is none of `LANGUAGES`.
        ImportError: its grammar is not installed.
    """
    module, name = _SESSIONS[language]
    made = getattr(import_module(f"synconfroute.validators.{module}"), name)()
    return cast(Session, made)


def witness_of(language: str) -> Witness | None:
    """A new witness; None where the language has none.

    Raises:
        ImportError: its grammar is not installed.
    """
    if language == "python":
        from synconfroute.validators.evidence.python.witness import PythonWitness

        return PythonWitness()
    from synconfroute.validators.evidence.braces.language import BRACES
    from synconfroute.validators.evidence.braces.witness import BracesWitness

    return BracesWitness(language) if language in BRACES else None
