"""The lines of a source file that are code, with the function that each stands in.

Python by its own parser, every other language by tree-sitter. A file that does not parse as a
whole has none.
"""

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

_GRAMMARS = {
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "javascriptreact": ("tree_sitter_javascript", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "rust": ("tree_sitter_rust", "language"),
}
_FUNCTION = re.compile(r"function|method|constructor|lambda|closure|arrow")
_NO_CODE = re.compile(r"comment|string|text|char_literal|template|heredoc|regex")
_WORTH_ASKING = re.compile(r"\w.*\w.*\w")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line worth completing.

    Attributes:
        index: counted from 0.
        function: the first line of the innermost function around it; -1 outside of any.
    """

    index: int
    function: int


def code_lines(language: str, text: str) -> list[CodeLine]:
    """The lines of a text that are code and neither trivial nor overlong; none if it is broken.

    Args:
        language: LSP language id; one without a grammar here has no lines.
        text: with line feeds.
    """
    if language == "python":
        found = _python(text)
    elif language in _GRAMMARS:
        found = _tree_sitter(language, text)
    else:
        return []
    lines = text.split("\n")
    return [each for each in found if _worth_asking(lines[each.index])]


def parses(language: str, text: str) -> bool:
    """Is the text, as a whole, code of a language that is read here?"""
    if language == "python":
        return _python_tree(text) is not None
    return language in _GRAMMARS and not _parsed(language, text).has_error


def _worth_asking(line: str) -> bool:
    return len(line) <= _LONGEST and _WORTH_ASKING.search(line) is not None


def _python_tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _python(text: str) -> list[CodeLine]:
    tree = _python_tree(text)
    if tree is None:
        return []
    try:
        rows = list(_python_rows(text))
    except (SyntaxError, tokenize.TokenError):
        return []
    functions = sorted(
        (node.lineno - 1, (node.end_lineno or node.lineno) - 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return [CodeLine(row, _innermost(functions, row)) for row in rows]


def _python_rows(text: str) -> Iterator[int]:
    """Rows whose first token is code: no comment, no string that stands for itself."""
    seen = -1
    layout = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row = token.start[0] - 1
        if token.type in layout:
            continue
        if row > seen and token.type not in {tokenize.COMMENT, tokenize.STRING}:
            yield row
        seen = max(seen, token.end[0] - 1)


def _innermost(functions: list[tuple[int, int]], row: int) -> int:
    return max((first for first, last in functions if first <= row <= last), default=-1)


def _tree_sitter(language: str, text: str) -> list[CodeLine]:
    data = text.encode()
    root = _parsed(language, text)
    if root.has_error:
        return []
    found = []
    for row, line in enumerate(data.split(b"\n")):
        column = len(line) - len(line.lstrip())
        first = root.descendant_for_point_range((row, column), (row, column))
        if first is None or column == len(line):
            continue
        around = list(_upwards(first))
        if not any(_NO_CODE.search(node.type) for node in around[:-1]):
            starts = [node.start_point[0] for node in around if _FUNCTION.search(node.type)]
            found.append(CodeLine(row, starts[0] if starts else -1))
    return found


def _upwards(node: "tree_sitter.Node") -> Iterator["tree_sitter.Node"]:
    above: tree_sitter.Node | None = node
    while above is not None:
        yield above
        above = above.parent


def _parsed(language: str, text: str) -> "tree_sitter.Node":
    return _parser(language).parse(text.encode()).root_node


@cache
def _parser(language: str) -> "tree_sitter.Parser":
    import tree_sitter

    module, name = _GRAMMARS[language]
    return tree_sitter.Parser(tree_sitter.Language(getattr(import_module(module), name)()))
