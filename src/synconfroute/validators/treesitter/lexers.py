"""Which lexer reads which language: brackets, strings and comments without a grammar."""

from functools import lru_cache
from importlib import import_module

from synconfroute.validators.treesitter.lexer import Lexer

_DESCRIPTIONS = {
    "c": ("c", "C"),
    "cpp": ("cpp", "CPP"),
    "csharp": ("csharp", "CSHARP"),
    "go": ("go", "GO"),
    "java": ("java", "JAVA"),
    "javascript": ("javascript", "JAVASCRIPT"),
    "javascriptreact": ("javascript", "JAVASCRIPT"),
    "kotlin": ("kotlin", "KOTLIN"),
    "php": ("php", "PHP"),
    "ruby": ("ruby", "RUBY"),
    "rust": ("rust", "RUST"),
    "shellscript": ("bash", "BASH"),
    "typescript": ("typescript", "TYPESCRIPT"),
    "typescriptreact": ("tsx", "TSX"),
}
"""LSP language ids, and which constant of which module here describes the language."""


@lru_cache(maxsize=len(_DESCRIPTIONS))
def lexer_for(language: str) -> Lexer | None:
    """The lexer of a language by its LSP id, made once; None where there is none."""
    if language not in _DESCRIPTIONS:
        return None
    module, name = _DESCRIPTIONS[language]
    found = import_module(f"synconfroute.validators.treesitter.{module}")
    return Lexer(getattr(found, name))
