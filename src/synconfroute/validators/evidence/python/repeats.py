"""Code that does what the code beside it does, or asks what has been asked: no one means it.

In two hundred thousand lines of libraries each of these stands some twenty times at most.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise

from synconfroute.validators.evidence.python.region import Region
from synconfroute.validators.verdict import Evidence

_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
# What may answer otherwise when it is asked again.
_IMPURE = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)


def repeats(region: Region) -> list[Evidence]:
    """The first of these that the inserted text brings about."""
    for block in _blocks(region):
        for index, statement in enumerate(block):
            if not _touches(statement, region):
                continue
            for above, below in pairwise(block[max(0, index - 1) : index + 2]):
                for found in _neighbours(above, below, region):
                    return [found]
            if isinstance(statement, ast.If):
                for found in (*_chain(statement, region), *_twins(statement, region)):
                    return [found]
    return []


def _blocks(region: Region) -> Iterator[list[ast.stmt]]:
    """The blocks that the text stands in, or begins or ends."""
    waiting: list[ast.AST] = [region.tree]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                waiting.extend(each for each in block if _touches(each, region))
                if isinstance(block[0], ast.stmt):
                    yield block


def _chain(first: ast.If, region: Region) -> Iterator[Evidence]:
    """A branch of `elif` that asks what a branch before has asked."""
    seen: dict[str, ast.If] = {}
    branches = _branches(first)
    for branch in branches if any(map(region.begins, branches)) else ():
        asked = ast.dump(branch.test)
        before = seen.setdefault(asked, branch)
        if before is branch or not (region.begins(before) or region.begins(branch)):
            continue
        if _pure(branch.test):
            line, other = branch.lineno + region.shift, before.lineno + region.shift
            message = f"The branch on line {line} never runs: line {other} asks the same before."
            yield Evidence("unreachable", message, line)


def _twins(first: ast.If, region: Region) -> Iterator[Evidence]:
    """Two branches after each other that do the same; jumps apart, which have many reasons."""
    branches = _branches(first)
    bodies = [branch.body for branch in branches]
    last = branches[-1].orelse
    for one, other in pairwise([*bodies, last] if last else bodies):
        if not any(region.begins(each) for each in (*one, *other)) or not _same(one, other):
            continue
        if other is last or not isinstance(one[-1], (*_JUMPS, ast.Pass)):
            line = one[0].lineno + region.shift
            message = f"Line {line} does what the branch below it does."
            yield Evidence("duplicate", message, line)


def _neighbours(above: ast.stmt, below: ast.stmt, region: Region) -> Iterator[Evidence]:
    line, other = above.lineno + region.shift, below.lineno + region.shift
    begun = region.begins(above) or region.begins(below)
    if isinstance(above, ast.If) and isinstance(below, _JUMPS) and not above.orelse:
        touched = begun or region.begins(above.body[0])
        if touched and _pure(above.test) and _same(above.body, [below]):
            message = f"The condition on line {line} changes nothing: line {other} does the same."
            yield Evidence("duplicate", message, line)
    if not begun:
        return
    if isinstance(above, ast.While) and isinstance(below, ast.While):
        if _alike(above.test, below.test) and _pure(above.test) and not _breaks(above):
            message = f"The loop on line {other} never runs: line {line} has waited for the same."
            yield Evidence("unreachable", message, other)
    elif isinstance(above, ast.For) and isinstance(below, ast.For):
        if _alike(above.target, below.target) and _alike(above.iter, below.iter):
            yield Evidence("duplicate", f"Line {line} stands again on line {other}.", line)
    elif _overwritten(above, below):
        message = f"Line {other} overwrites at once what line {line} assigns."
        yield Evidence("duplicate", message, line)


def _overwritten(above: ast.stmt, below: ast.stmt) -> bool:
    """Is the first value lost, without having done anything? The same line twice is told alone."""
    if not isinstance(above, ast.Assign) or not isinstance(below, ast.Assign):
        return False
    if len(above.targets) != 1 or len(below.targets) != 1 or not _pure(above.value):
        return False
    name = above.targets[0]
    if not isinstance(name, ast.Name) or not _alike(name, below.targets[0]):
        return False
    if _alike(above.value, below.value):
        return False
    read = {node.id for node in ast.walk(below.value) if isinstance(node, ast.Name)}
    return name.id not in read


def _touches(node: ast.AST, region: Region) -> bool:
    """Does any of the inserted text stand on its lines? What has none (PEP 634's `case`) may."""
    first: int = getattr(node, "lineno", region.start[0])
    last: int = getattr(node, "end_lineno", None) or region.start[0]
    return first <= region.end[0] and region.start[0] <= last


def _branches(first: ast.If) -> list[ast.If]:
    found = [first]
    while len(found[-1].orelse) == 1 and isinstance(found[-1].orelse[0], ast.If):
        found.append(found[-1].orelse[0])
    return found


def _breaks(loop: ast.While) -> bool:
    """May it be left otherwise than by its condition?"""
    return any(isinstance(node, ast.Break) for node in ast.walk(loop))


def _pure(test: ast.expr) -> bool:
    return not any(isinstance(node, _IMPURE) for node in ast.walk(test))


def _same(one: list[ast.stmt], other: list[ast.stmt]) -> bool:
    return len(one) == len(other) and all(map(_alike, one, other))


def _alike(one: ast.AST, other: ast.AST) -> bool:
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)
