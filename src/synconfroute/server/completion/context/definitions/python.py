"""Definitions of a Python module: signatures, heads of classes with what they offer, constants."""

import ast
import re
import warnings
from collections.abc import Iterator
from textwrap import dedent

from synconfroute.server.completion.context.definitions.definition import Definition, bounded

_LONGEST_VALUE = 120
_COMMENT = re.compile(r":[ \t]*#[^\n]*\Z")

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.Module | ast.If | ast.Try


def definitions(text: str) -> list[Definition]:
    """The definitions at a module's level, in order; none where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.split("\n")
    return [
        Definition(name, bounded(dedent(body)), _first(node), _last(node))
        for node in _statements(module)
        for name, body in _described(node, lines)
    ]


def _statements(scope: _Scope) -> Iterator[ast.stmt]:
    """The statements of a scope, and of those in it that do not make one of their own."""
    for node in (*scope.body, *getattr(scope, "orelse", ())):
        if isinstance(node, ast.If | ast.Try):
            yield from _statements(node)
        else:
            yield node


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", ())
    return min((each.lineno for each in (*decorators, node)), default=node.lineno) - 1


def _last(node: ast.stmt) -> int:
    """The last line of what is shown of a statement."""
    if isinstance(node, _Function):
        return max(node.lineno, _first(node.body[0])) - 1
    return (node.end_lineno or node.lineno) - 1


def _described(node: ast.stmt, lines: list[str]) -> Iterator[tuple[str, str]]:
    """Name and text of what a statement defines."""
    if isinstance(node, _Function):
        yield node.name, _head(node, lines) + " ..."
    elif isinstance(node, ast.ClassDef):
        yield node.name, _class(node, lines)
    else:
        for name in _targets(node):
            yield name, _assignment(node, lines)


def _class(node: ast.ClassDef, lines: list[str]) -> str:
    """The head, then fields and the heads of methods; what begins with "_" is the class's own."""
    parts = [_head(node, lines)]
    for member in node.body:
        if isinstance(member, _Function):
            if not member.name.startswith("_") or member.name in ("__init__", "__call__"):
                parts.append(_head(member, lines) + " ...")
        elif any(not name.startswith("_") for name in _targets(member)):
            parts.append(_assignment(member, lines))
    if len(parts) == 1:
        parts[0] += " ..."
    return "\n".join(parts)


def _head(node: _Function | ast.ClassDef, lines: list[str]) -> str:
    """What stands before the body, decorators included, without comments."""
    body = node.body[0]
    whole = lines[_first(node) : _first(body)]
    if not getattr(body, "decorator_list", ()):
        whole.append(_left(lines[body.lineno - 1], body.col_offset))
    kept = [line.rstrip() for line in whole if line.strip() and not line.lstrip().startswith("#")]
    return _COMMENT.sub(":", "\n".join(kept))


def _targets(node: ast.stmt) -> list[str]:
    """The names that an assignment makes."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _assignment(node: ast.stmt, lines: list[str]) -> str:
    """The first line of an assignment, cut where its value is long."""
    line = lines[node.lineno - 1].rstrip()
    if len(line) <= _LONGEST_VALUE and node.end_lineno == node.lineno:
        return line
    if isinstance(node, ast.AnnAssign):
        return _left(line, node.annotation.end_col_offset or 0)
    name, equals, _ = line.partition("=")
    return f"{name}{equals} ..."


def _left(line: str, column: int) -> str:
    """A line up to a column that counts bytes of UTF-8."""
    return line.encode()[:column].decode(errors="ignore").rstrip()
