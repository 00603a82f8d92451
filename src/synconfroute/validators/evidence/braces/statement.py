"""The statement at the left margin that a text stands in, and the names left unbound there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.grammar import Grammar
from synconfroute.validators.evidence.braces.outline import Outline
from synconfroute.validators.evidence.braces.scopes import Role, free, replaced, role
from synconfroute.validators.evidence.braces.scoping import Scoping
from synconfroute.validators.insertion import Insertion

if TYPE_CHECKING:
    from tree_sitter import Node

# Characters of a statement, or of other parts together, that may be read while a user waits.
_MOST_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class Statement:
    """A function or class with the text in it, which binds nothing outside itself.

    Attributes:
        scoping: the language's rules.
        grammar: its grammar.
        outline: the buffer without the text.
        part: the index of the outline's part that it is.
        first: 1-based line in the buffer of its first.
        hole: where the text begins in it, in bytes.
        leaves: the places of the names asked about.
    """

    scoping: Scoping
    grammar: Grammar
    outline: Outline
    part: int
    first: int
    hole: int
    leaves: dict[str, list["Node"]]

    def lacks(self, name: str, line: int, column: int) -> bool:
        """Does the variable at this place get no value here, and is it no other part's either?

        Code that uses it above or elsewhere without binding it knows where it comes from.
        """
        unbound = free(self.scoping, self.leaves.get(name, []))
        used = [leaf for leaf in unbound if role(self.scoping, leaf) is Role.USED]
        where = (line - self.first, column)
        if not any((leaf.start_point.row, leaf.start_point.column) == where for leaf in used):
            return False
        if unbound[0].start_byte < self.hole:
            return False
        if self.scoping.loose and replaced(self.scoping, unbound[0]):
            return False
        return not self._used_elsewhere(name)

    def _used_elsewhere(self, name: str) -> bool:
        """Does another part use it without binding it? In doubt it does."""
        left = _MOST_CHARACTERS
        for text in self.outline.others_with(name, but_for=self.part):
            left -= len(text)
            tree = self.grammar.parse(text) if left >= 0 else None
            if tree is None:
                return True
            if free(self.scoping, self.grammar.names(tree, text, {name}).get(name, [])):
                return True
        return False


def statement(
    scoping: Scoping,
    grammar: Grammar,
    outline: Outline,
    insertion: Insertion,
    part: int,
    names: set[str],
) -> Statement | None:
    """Read the part that the text stands in, for these names; None where that is in doubt."""
    start, end = outline.part(part)
    at = len(insertion.prefix)
    head = insertion.prefix[start:]
    text = f"{head}{insertion.text}{insertion.suffix[: max(0, end - at)]}"
    if len(text) > _MOST_CHARACTERS or not scoping.closes(text) or scoping.opens(text):
        return None
    tree = grammar.parse(text)
    if tree is None:
        return None
    return Statement(
        scoping=scoping,
        grammar=grammar,
        outline=outline,
        part=part,
        first=insertion.prefix.count("\n", 0, start) + 1,
        hole=len(head.encode(errors="replace")),
        leaves=grammar.names(tree, text, names),
    )
