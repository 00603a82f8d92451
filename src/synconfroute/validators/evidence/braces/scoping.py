"""How a language binds names, and which of its names no other file can bring: a description."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

# A line that is longer has been written by no one, and is read slowly.
_LONGEST = 400


class Reach(Enum):
    """Where a bound name is seen."""

    ITSELF = "in the node that binds it"
    BLOCK = "in the scope around that node"
    FUNCTION = "in the function around that node, or in the file"
    FILE = "everywhere"


# Fields of a node; "" stands for a child without one.
Fields = frozenset[str]
ANY: Fields = frozenset(("*",))


@dataclass(frozen=True, slots=True)
class Scoping:
    """One language's names. Node types and fields are those of its grammar.

    Attributes:
        leaves: nodes that are a name.
        patterns: nodes that a bound name may stand in, with the fields where it is not bound.
        binders: nodes that bind what stands in their fields ("*": in any), and how far.
        others: nodes, with the fields in which a name is neither bound nor surely a variable.
        scopes: nodes that bound names are seen in.
        functions: those of them that are functions.
        loose: a name that first gets a value, without a declaration, is bound outside the function.
        ordered: a name of a block counts from its declaration on.
        told: names that only this file can bind.
        told_written: names that only this file can bind where its own code gives them a value.
        writers: nodes that give a name in these fields a value without binding it.
        components: nodes, beside the language's own, that name a component of this file.
        word: a name where it may be such.
        declared: the first place of one, where it is declared.
        known: names that are always there.
        closed: the first line of a statement at the left margin that binds nothing in the file but
            what that line names.
        elsewhere: signs that names come and go unseen. Each begins with a literal: such are found
            fast.
    """

    leaves: tuple[str, ...]
    patterns: Mapping[str, Fields]
    binders: Mapping[str, Mapping[str, Reach]]
    others: Mapping[str, Fields]
    scopes: frozenset[str]
    functions: frozenset[str]
    loose: bool
    ordered: bool
    told: re.Pattern[str]
    told_written: re.Pattern[str]
    writers: Mapping[str, Fields]
    word: re.Pattern[str]
    declared: re.Pattern[str]
    known: frozenset[str]
    closed: re.Pattern[str]
    elsewhere: tuple[re.Pattern[str], ...]
    components: frozenset[str] = field(default_factory=frozenset)

    def opens(self, text: str) -> bool:
        """May names come and go unseen in this text?"""
        return any(sign.search(text) for sign in self.elsewhere)

    def closes(self, text: str) -> bool:
        """Does a statement at the left margin bind no more in the file than its first line says?"""
        first = text[: _LONGEST + 1].partition("\n")[0]
        return len(first) <= _LONGEST and self.closed.match(first) is not None
