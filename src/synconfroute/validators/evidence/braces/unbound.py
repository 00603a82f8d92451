"""Names that the inserted text uses, or the code below needs, and that nothing binds.

Most names are told by the words in sight. What is left is looked up in the tree of the block, and
what is left then in the tree of the whole statement at the left margin and in the rest of the file.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.above import words_above
from synconfroute.validators.evidence.braces.block import Block, depth_of
from synconfroute.validators.evidence.braces.grammar import Grammar
from synconfroute.validators.evidence.braces.outline import Outline
from synconfroute.validators.evidence.braces.scopes import Role, free, role, written
from synconfroute.validators.evidence.braces.scoping import Scoping
from synconfroute.validators.evidence.braces.statement import statement
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|//[^\n]*")

_MESSAGES = {
    "name": "Line {} uses a variable that nothing in sight declares.",
    "missing": "Line {} needs a variable that nothing in sight declares, nor does this text.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands.

    Attributes:
        line: 1-based line in the buffer.
        column: in bytes.
        name: the name.
        kind: "name" in the inserted text, "missing" below it.
    """

    line: int
    column: int
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Names:
    """The names around one insertion.

    Attributes:
        scoping: the language's rules.
        grammar: its grammar.
        outline: the buffer without the text.
        insertion: the text inserted.
        block: the lines around it.
    """

    scoping: Scoping
    grammar: Grammar
    outline: Outline
    insertion: Insertion
    block: Block

    def unbound(self, left: set[str], tree: "Node", source: str) -> list[Evidence]:
        """The first line that uses an unbound name, and the first that needs one.

        Args:
            left: the names that are `out_of_sight`.
            tree: the block's tree.
            source: what was parsed to it; the block stands from its second row on.
        """
        part = self._part()
        suspects = self._suspects(tree, source, left)
        if part is None or not suspects:
            return []
        names = {place.name for place in suspects}
        around = statement(self.scoping, self.grammar, self.outline, self.insertion, part, names)
        if around is None:
            return []
        found: dict[str, Evidence] = {}
        for place in suspects:
            if place.kind in found or not around.lacks(place.name, place.line, place.column):
                continue
            message = _MESSAGES[place.kind].format(place.line)
            found[place.kind] = Evidence(place.kind, message, place.line)
        return sorted(found.values(), key=lambda each: each.line)

    def out_of_sight(self) -> set[str]:
        """The names from the text on that no word in sight tells, going by words alone."""
        part = self._part()
        if part is None or self.outline.doubtful:
            return set()
        below = _QUOTED.sub(" ", "\n".join(self.block.text.split("\n")[self.block.start[0] :]))
        left = {
            name
            for name in self._words(below)
            if self._may_be_told(name) and not self.outline.binds(name, but_for=part)
        }
        if left:
            head = self.insertion.prefix[self.outline.part(part)[0] :]
            left -= words_above(head[: len(head) - len(self.insertion.left)], self._depth())
        return left

    def _words(self, text: str) -> set[str]:
        """Words that are not known and whose first place is not their declaration."""
        words = set(self.scoping.word.findall(text)) - self.scoping.known
        for match in self.scoping.declared.finditer(text):
            for name in filter(None, match.groups()):
                if name in words and text.find(name) >= match.start():
                    words.discard(name)
        return words

    def _part(self) -> int | None:
        """The outline's part that the text stands in; None for a text at the left margin."""
        if self._depth() == 0:
            return None
        at = len(self.insertion.prefix)
        part = self.outline.at(at)
        return part - 1 if self.outline.part(part)[0] == at else part

    def _depth(self) -> int:
        lines = self.block.own.split("\n")
        return min((depth_of(line) for line in lines if line.strip()), default=0)

    def _may_be_told(self, name: str) -> bool:
        component = bool(self.scoping.components) and name[:1].isupper()
        return component or self.scoping.told_written.fullmatch(name) is not None

    def _suspects(self, tree: "Node", source: str, names: set[str]) -> list[Place]:
        """Where the block uses one of these without binding it, in the order of the text."""
        places: list[Place] = []
        for name, leaves in self.grammar.names(tree, source, names).items() if names else ():
            unbound = free(self.scoping, leaves)
            for leaf in unbound if self._told(name, unbound) else ():
                row, column = leaf.start_point.row - 1, leaf.start_point.column
                if (row, column) >= self.block.start and role(self.scoping, leaf) is Role.USED:
                    kind = "name" if (row, column) < self.block.end else "missing"
                    places.append(Place(self.block.first + row, column, name, kind))
        return sorted(places, key=lambda place: (place.line, place.column))

    def _told(self, name: str, unbound: list["Node"]) -> bool:
        """Can no other file bind this name, going by its looks and these uses?"""
        rules = self.scoping
        if rules.told.fullmatch(name):
            return True
        if rules.told_written.fullmatch(name):
            return any(written(rules, leaf) for leaf in unbound)
        parents = [leaf.parent for leaf in unbound]
        return all(parent is not None and parent.type in rules.components for parent in parents)
