"""How others judge a text in a buffer: whole-file parsers, and error nodes in its range."""

import ast
import importlib
import shutil
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from synconfroute.evaluation.paper_validator import PaperValidator
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Outcome

Judge = Callable[[Insertion], Outcome]

_GRAMMARS = {
    "csharp": ("tree_sitter_c_sharp", "language"),
    "javascriptreact": ("tree_sitter_javascript", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "shellscript": ("tree_sitter_bash", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "typescriptreact": ("tree_sitter_typescript", "language_tsx"),
}
"""Grammars that are not named for their language: package and function."""

_PATIENCE_S = 1.0
_PIECE = 1 << 16


def judges(language: str) -> dict[str, Judge]:
    """The other methods that can be tried here, by name."""
    paper = {
        "python": {"ast": PaperValidator()},
        "java": {"javac": PaperValidator(java="javac"), "javalang": PaperValidator()},
        "cpp": {"g++": PaperValidator(), "libclang": PaperValidator(cpp="libclang")},
    }.get(language, {})
    needs = {"javac": shutil.which("javac"), "g++": shutil.which("g++"),
             "javalang": find_spec("javalang"), "libclang": find_spec("clang")}  # fmt: skip
    found = {
        name: _whole_file(language, validator)
        for name, validator in paper.items()
        if needs.get(name, True)
    }
    if parser_of(language) is not None:
        found["tree-sitter"] = lambda insertion: _said(not root(language, insertion).has_error)
        found["ERROR in range"] = lambda insertion: _said(not _error_in_range(language, insertion))
    return found


def parses(language: str, buffer: str) -> bool:
    """Is the whole buffer code? By `ast` for Python, by tree-sitter for others.

    A parser that has not finished within a second has found nothing wrong.
    """
    if language != "python":
        return _reads(parser_of(language), f"{buffer}\n".encode())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(buffer)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def root(language: str, insertion: Insertion) -> Any:
    """The root of the tree of the whole buffer."""
    parser = parser_of(language)
    assert parser is not None, f"tree-sitter-{language} is not installed"
    return parser.parse(f"{insertion.buffer}\n".encode()).root_node


@cache
def parser_of(language: str) -> Any:
    """A tree-sitter parser; None where its grammar is not installed."""
    from tree_sitter import Language, Parser

    package, function = _GRAMMARS.get(language, (f"tree_sitter_{language}", "language"))
    if find_spec(package) is None:
        return None
    return Parser(Language(getattr(importlib.import_module(package), function)()))


def _reads(parser: Any, code: bytes) -> bool:
    end = time.monotonic() + _PATIENCE_S
    try:
        tree = parser.parse(
            lambda start, _: code[start : start + _PIECE],
            progress_callback=lambda *_: time.monotonic() > end,
        )
    except ValueError:
        parser.reset()
        return True
    return not tree.root_node.has_error


def _whole_file(language: str, validator: PaperValidator) -> Judge:
    return lambda insertion: (
        validator.validate(language, insertion.prefix, insertion.text, insertion.suffix).outcome
    )


def _said(valid: bool) -> Outcome:
    return Outcome.VALID if valid else Outcome.INVALID


def _error_in_range(language: str, insertion: Insertion) -> bool:
    """Does an ERROR or MISSING node touch the text? So does Cody judge a completion."""
    start = len(insertion.prefix.encode())
    end = start + len(insertion.text.encode())
    waiting = [root(language, insertion)]
    while waiting:
        node = waiting.pop()
        if not node.has_error or node.end_byte < start or node.start_byte > end:
            continue
        if node.is_error or node.is_missing:
            return True
        waiting += node.children
    return False
