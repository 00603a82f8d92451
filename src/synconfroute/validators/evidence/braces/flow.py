"""Statements that can never run, because a jump stands before them in their block."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.block import Block
from synconfroute.validators.evidence.braces.language import Braces
from synconfroute.validators.verdict import Evidence

if TYPE_CHECKING:
    from tree_sitter import Node


_JUMP = re.compile(r"return\b|throw\b|break\b|continue\b|goto\b")


@dataclass(frozen=True, slots=True)
class Flow:
    """Jumps in one block of a buffer.

    Attributes:
        language: the language.
        block: the block's lines, which stand from the tree's second row on.
    """

    language: Braces
    block: Block

    def possible(self) -> bool:
        """Does a word stand in the text, or above it, that may be a jump?"""
        lines = self.block.text.split("\n")
        return _JUMP.search("\n".join(lines[: self.block.end[0] + 1])) is not None

    def unreachable(self, tree: "Node") -> list[Evidence]:
        """What the inserted text cuts off, or why it never runs itself; at most one finding."""
        for statements in self._blocks(tree):
            for above, below in pairwise(statements):
                if self._leaves(above):
                    found = self._finding(above, below)
                    if found is not None:
                        return [found]
                    break
        return []

    def _finding(self, above: "Node", below: "Node") -> Evidence | None:
        if self._filler(below) or above.text == below.text:
            return None
        jump = self.block.first + above.end_point.row - 1
        line = self.block.first + below.start_point.row - 1
        if self._inserted(above):
            return Evidence("unreachable", f"Line {jump} leaves line {line} unreachable.", line)
        if self._inserted(below):
            return Evidence(
                "unreachable", f"Line {line} never runs: line {jump} leaves before.", line
            )
        return None

    def _inserted(self, node: "Node") -> bool:
        """Does it begin in the inserted text, or on the line that the text goes on with?"""
        place = (node.start_point.row - 1, node.start_point.column)
        return self.block.start[0] <= place[0] and place < self.block.end

    def _blocks(self, tree: "Node") -> Iterator[list["Node"]]:
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            children = node.named_children
            waiting.extend(children)
            if node.type in self.language.blocks:
                yield [child for child in children if "comment" not in child.type]

    def _leaves(self, node: "Node") -> bool:
        """Does what stands behind this statement never run, whatever happens?"""
        node = self._unwrapped(node)
        if node.type in self.language.jumps:
            return True
        if node.type in self.language.blocks:
            last = [child for child in node.named_children if "comment" not in child.type][-1:]
            return bool(last) and self._leaves(last[0])
        if node.type in self.language.choices:
            branches = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
            return all(branch is not None and self._leaves(branch) for branch in branches)
        if node.type == "else_clause" and node.named_children:
            return self._leaves(node.named_children[-1])
        return False

    def _filler(self, node: "Node") -> bool:
        if node.type in self.language.wrappers and not node.named_children:
            return True
        return self._unwrapped(node).type in self.language.fillers

    def _unwrapped(self, node: "Node") -> "Node":
        if node.type in self.language.wrappers and len(node.named_children) == 1:
            return node.named_children[0]
        return node
