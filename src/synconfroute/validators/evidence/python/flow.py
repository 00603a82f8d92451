"""Statements that can never run, because a jump stands before them in their block."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from synconfroute.validators.evidence.python.region import Region
from synconfroute.validators.verdict import Evidence

_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@dataclass(frozen=True, slots=True)
class Cut:
    """Code that never runs.

    Attributes:
        evidence: what is said about it.
        lines: its lines in the region's tree.
    """

    evidence: Evidence
    lines: range


def unreachable(region: Region) -> Cut | None:
    """What the inserted text cuts off, or why it never runs itself."""
    for owner, block in _blocks(region.tree):
        cut = _cut(block, region) or _single_round(owner, region)
        if cut is not None:
            return cut
    return None


def _cut(block: list[ast.stmt], region: Region) -> Cut | None:
    """The first jump of a block counts: what stands behind it has been unreachable before."""
    for above, below in pairwise(block):
        if not _leaves(above):
            continue
        if _harmless(above, below):
            return None
        jump = _last(above) + region.shift
        line = below.lineno + region.shift
        lines = range(below.lineno, _last(block[-1]) + 1)
        if region.begins(above):
            return _found(f"Line {jump} leaves line {line} unreachable.", line, lines)
        if region.begins(below):
            return _found(f"Line {line} never runs: line {jump} leaves before.", line, lines)
        return None
    return None


def _single_round(loop: ast.AST, region: Region) -> Cut | None:
    """A loop that its own last statement leaves in the first round, and that reads no element."""
    if not isinstance(loop, (ast.For, ast.While)) or not _leaves(loop.body[-1]):
        return None
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, (ast.Continue, ast.Yield, ast.YieldFrom)) for node in inside):
        return None
    if isinstance(loop, ast.While):
        if isinstance(loop.test, ast.Constant):
            return None
    else:
        elements = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        read = {node.id for node in inside if isinstance(node, ast.Name)}
        if elements & read or any(name.startswith("_") for name in elements):
            return None
    if not (region.begins(loop) or region.begins(loop.body[-1])):
        return None
    line = loop.lineno + region.shift
    leaves = _last(loop.body[-1]) + region.shift
    return _found(f"The loop on line {line} is left on line {leaves}, in its first round.", line)


def _found(message: str, line: int, lines: range = range(0)) -> Cut:
    return Cut(Evidence("unreachable", message, line), lines)


def _harmless(above: ast.stmt, below: ast.stmt) -> bool:
    """Nothing is lost: a second jump like the first, a filler, or a generator's mark."""
    if isinstance(below, (ast.Pass, ast.Break, ast.Continue)):
        return True
    if isinstance(below, ast.Expr) and isinstance(below.value, (ast.Yield, ast.YieldFrom)):
        return True
    return ast.dump(above) == ast.dump(below)


def _leaves(statement: ast.stmt) -> bool:
    """Does what stands behind this statement never run, whatever happens?

    A `with` may swallow an exception and a `match` may match nothing: they never count.
    """
    if isinstance(statement, _JUMPS):
        return True
    if isinstance(statement, ast.If):
        return _ends(statement.body) and _ends(statement.orelse)
    if isinstance(statement, ast.Try):
        normal = _ends(statement.body) or _ends(statement.orelse)
        handled = all(_ends(handler.body) for handler in statement.handlers)
        return _ends(statement.finalbody) or (normal and handled)
    return False


def _ends(block: list[ast.stmt]) -> bool:
    return bool(block) and _leaves(block[-1])


def _last(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _blocks(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Each block of statements, with what it belongs to."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                waiting.extend(block)
                if isinstance(block[0], ast.stmt):
                    yield node, block
