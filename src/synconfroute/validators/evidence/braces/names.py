"""Variables that nothing in the whole buffer declares.

It is silent about a name as soon as one place in the buffer looks like its declaration, whatever
the scope, and in files where names may come from elsewhere (see `Names`).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.block import Block
from synconfroute.validators.evidence.braces.language import Names
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence

if TYPE_CHECKING:
    from tree_sitter import Node

# How far a declaration is looked at on both sides of a name.
_CONTEXT = 80


def names(rules: Names, insertion: Insertion, block: Block, tree: "Node") -> list[Evidence]:
    """The first line that uses an undeclared variable, and the first that needs one."""
    fresh: dict[str, Evidence] = {}
    known: set[str] = set()
    for node in _variables(rules, tree):
        name = (node.text or b"").decode()
        row = node.start_point.row - 1
        if (node.end_point.row - 1, node.end_point.column) <= block.start:
            known.add(name)
        elif (row, node.start_point.column) < block.end:
            fresh.setdefault(name, _used(block.first + row))
        else:
            fresh.setdefault(name, _needed(block.first + row))
    suspects = {name: found for name, found in fresh.items() if name not in known}
    first: dict[str, Evidence] = {}
    for name, found in suspects.items():
        if found.kind not in first and not _declared(rules, name, insertion.buffer):
            first[found.kind] = found
    return sorted(first.values(), key=lambda found: found.line)


def _used(line: int) -> Evidence:
    return Evidence(
        "name", f"Line {line} uses a variable that nothing in this file declares.", line
    )


def _needed(line: int) -> Evidence:
    message = f"Line {line} needs a variable that nothing in this file declares, nor this text."
    return Evidence("missing", message, line)


def _variables(rules: Names, tree: "Node") -> Iterator["Node"]:
    """The places that read a variable, in the order of the text."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(node.named_children))
        if node.type == rules.variable and rules.local.fullmatch((node.text or b"").decode()):
            parent = node.parent
            if parent is not None and not _other(rules, parent, node):
                yield node


def _other(rules: Names, parent: "Node", node: "Node") -> bool:
    """Does the identifier stand where no variable is read?"""
    field = rules.others.get(parent.type)
    if field is None:
        return False
    return not field or any(node == other for other in parent.children_by_field_name(field))


def _declared(rules: Names, name: str, text: str) -> bool:
    """Does the name look declared in any place?"""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before = text[max(0, start - _CONTEXT) : start]
        after = text[end : end + _CONTEXT]
        if not before[-1:].isidentifier() and not after[:1].isidentifier():
            if rules.parameter.match(after):
                return True
            if rules.before.search(before) and rules.after.match(after):
                return True
        start = text.find(name, end)
    return False
