"""Lexers by language id."""

import subprocess
import sys

import pytest

from synconfroute.validators.languages import LANGUAGES
from synconfroute.validators.treesitter.lexers import lexer_for


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"python"}))
def test_every_language_of_the_core_has_one(language: str) -> None:
    """It reads brackets, and is made once."""
    lexer = lexer_for(language)
    assert lexer is not None
    assert lexer_for(language) is lexer
    line = lexer.line("f(a)", ())
    assert [token.text for token in line.tokens if token.kind in {"open", "close"}] == ["(", ")"]


@pytest.mark.parametrize("language", ["python", "lua", ""])
def test_others_have_none(language: str) -> None:
    """Python is read otherwise."""
    assert lexer_for(language) is None


def test_no_grammar_is_loaded() -> None:
    """The server's process reads brackets without tree-sitter."""
    code = (
        "import sys; from synconfroute.validators.treesitter.lexers import lexer_for;"
        " lexer_for('java').line('f(a)', ()); print('tree_sitter' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"
