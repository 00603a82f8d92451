"""Names that the inserted text uses, or the code below needs, and that nothing binds.

Most names are told by the words in sight. What is left is looked up in the tree of the block, and
what is left then in the tree of the whole statement at the left margin, and in other parts of the
file: they may use it without binding it, too, so that it comes from somewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.above import words_above
from synconfroute.validators.evidence.braces.block import Block, depth_of
from synconfroute.validators.evidence.braces.grammar import Grammar
from synconfroute.validators.evidence.braces.outline import WORD, Outline
from synconfroute.validators.evidence.braces.scopes import Role, Sight, role, written
from synconfroute.validators.evidence.braces.scoping import Scoping
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence

if TYPE_CHECKING:
    from tree_sitter import Node

# Characters of a statement, or of other parts together, that may be read while a user waits.
_MOST_CHARACTERS = 16_000

_MESSAGES = {
    "name": "Line {} uses a variable that nothing in sight declares.",
    "missing": "Line {} needs a variable that nothing in sight declares, nor does this text.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands.

    Attributes:
        name: the name.
        kind: "name" in the inserted text, "missing" below it.
        line: 1-based line in the buffer.
        column: in bytes.
    """

    name: str
    kind: str
    line: int
    column: int


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

    def unbound(self, tree: "Node", source: str) -> list[Evidence]:
        """The first line that uses an unbound name, and the first that needs one.

        Args:
            tree: the block's tree.
            source: what was parsed to it; the block stands from its second row on.
        """
        depth = min(depth_of(line) for line in self.block.own.split("\n") if line.strip())
        if depth == 0 or self.outline.doubtful:
            return []
        at = len(self.insertion.prefix)
        part = self.outline.at(at)
        if self.outline.part(part)[0] == at:
            part -= 1
        left = self._out_of_sight(part, depth)
        if not left:
            return []
        found: dict[str, Evidence] = {}
        for place in self._suspects(tree, source, left):
            if place.kind not in found and self._surely(place, part):
                message = _MESSAGES[place.kind].format(place.line)
                found[place.kind] = Evidence(place.kind, message, place.line)
        return sorted(found.values(), key=lambda each: each.line)

    def _out_of_sight(self, part: int, depth: int) -> set[str]:
        """The names from the text on that no word in sight tells."""
        below = "\n".join(self.block.text.split("\n")[self.block.start[0] :])
        left = {
            name
            for name in set(WORD.findall(below)) - self.scoping.known
            if self._may_be_told(name) and not self.outline.binds(name, but_for=part)
        }
        if left:
            start = self.outline.part(part)[0]
            head = self.insertion.prefix[start : len(self.insertion.prefix)]
            left -= words_above(head[: len(head) - len(self.insertion.left)], depth)
        return left

    def _may_be_told(self, name: str) -> bool:
        component = bool(self.scoping.components) and name[:1].isupper()
        return component or self.scoping.told_written.fullmatch(name) is not None

    def _suspects(self, tree: "Node", source: str, names: set[str]) -> Iterator[Place]:
        """Where the block uses one of these without binding it, in the order of the text."""
        places: list[Place] = []
        for name, leaves in self.grammar.names(tree, source, names).items():
            free = _free(self.scoping, leaves)
            for leaf in free if self._told(name, free) else ():
                if role(self.scoping, leaf) is not Role.USED:
                    continue
                row, column = leaf.start_point.row - 1, leaf.start_point.column
                if (row, column) < self.block.start:
                    continue
                kind = "name" if (row, column) < self.block.end else "missing"
                places.append(Place(name, kind, self.block.first + row, column))
        places.sort(key=lambda place: (place.line, place.column))
        return iter(places)

    def _told(self, name: str, free: list["Node"]) -> bool:
        """Can no other file bind this name, going by its looks and these uses?"""
        rules = self.scoping
        if rules.told.fullmatch(name):
            return True
        if rules.told_written.fullmatch(name):
            return any(written(rules, leaf) for leaf in free)
        parents = [leaf.parent for leaf in free]
        return all(parent is not None and parent.type in rules.components for parent in parents)

    def _surely(self, place: Place, part: int) -> bool:
        """Is it a variable, unbound in the whole file, that no other code uses so?"""
        start, end = self.outline.part(part)
        at = len(self.insertion.prefix)
        head = self.insertion.prefix[start:]
        text = f"{head}{self.insertion.text}{self.insertion.suffix[: max(0, end - at)]}"
        if len(text) > _MOST_CHARACTERS or self.scoping.elsewhere.search(text):
            return False
        tree = self.grammar.parse(text)
        if tree is None:
            return False
        first = self.insertion.prefix.count("\n", 0, start) + 1
        where = (place.line - first, place.column)
        free = _free(self.scoping, self.grammar.names(tree, text, {place.name}).get(place.name, []))
        used = [leaf for leaf in free if role(self.scoping, leaf) is Role.USED]
        if not any(_place(leaf) == where for leaf in used):
            return False
        if free[0] is not used[0] and self.scoping.loose:
            return False
        if free[0].start_byte < len(head.encode(errors="replace")):
            return False
        return not self._used_elsewhere(place.name, part)

    def _used_elsewhere(self, name: str, part: int) -> bool:
        """Does another part use it without binding it? In doubt it does."""
        left = _MOST_CHARACTERS
        for text in self.outline.others_with(name, but_for=part):
            left -= len(text)
            tree = self.grammar.parse(text) if left >= 0 else None
            if tree is None:
                return True
            if _free(self.scoping, self.grammar.names(tree, text, {name}).get(name, [])):
                return True
        return False


def _place(leaf: "Node") -> tuple[int, int]:
    return leaf.start_point.row, leaf.start_point.column


def _free(scoping: Scoping, leaves: list["Node"]) -> list["Node"]:
    """Of all places of one name, those that read or write it where no binding is seen."""
    roles = [(leaf, role(scoping, leaf)) for leaf in leaves]
    sights = [each for _, each in roles if isinstance(each, Sight)]
    return [
        leaf
        for leaf, each in roles
        if (each is Role.USED or (each is Role.OTHER and written(scoping, leaf)))
        and not any(sight.holds(leaf) for sight in sights)
    ]
