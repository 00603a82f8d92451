"""Which names of a tree are bound, and where each binding is seen."""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.scoping import ANY, Reach, Scoping

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Sight:
    """Bytes of a tree's text in which a bound name is seen."""

    start: int
    end: int

    def holds(self, node: "Node") -> bool:
        """Does the node stand there?"""
        return self.start <= node.start_byte and node.end_byte <= self.end


class Role(Enum):
    """What a name that is not bound does where it stands."""

    USED = "read as a variable"
    OTHER = "something else, or in doubt"


def role(scoping: Scoping, leaf: "Node") -> Sight | Role:
    """Where the name is seen that this leaf binds, or what else the leaf does."""
    child, parent = leaf, leaf.parent
    while parent is not None:
        reaches = scoping.binders.get(parent.type)
        if reaches is not None:
            reach = reaches.get("*") or reaches.get(_field(parent, child))
            if reach is not None:
                return _sight(scoping, reach, parent)
        barred = scoping.patterns.get(parent.type)
        if barred is None or (barred and _field(parent, child) in barred):
            break
        child, parent = parent, parent.parent
    return _unbound(scoping, leaf)


def written(scoping: Scoping, leaf: "Node") -> bool:
    """Does this leaf, which binds nothing, stand where a name gets a value?"""
    return _writer(scoping, leaf) is not None


def replaced(scoping: Scoping, leaf: "Node") -> bool:
    """Does it stand there without its old value being read?"""
    writer = _writer(scoping, leaf)
    return writer is not None and any(child.type == "=" for child in writer.children)


def _writer(scoping: Scoping, leaf: "Node") -> "Node | None":
    child, parent = leaf, leaf.parent
    while parent is not None and parent.type not in scoping.writers:
        if parent.type not in scoping.patterns:
            return None
        child, parent = parent, parent.parent
    if parent is None or _field(parent, child) not in scoping.writers[parent.type]:
        return None
    return parent


def free(scoping: Scoping, leaves: list["Node"]) -> list["Node"]:
    """Of all places of one name, those that read or write it where no binding is seen."""
    roles = [(leaf, role(scoping, leaf)) for leaf in leaves]
    sights = [each for _, each in roles if isinstance(each, Sight)]
    return [
        leaf
        for leaf, each in roles
        if (each is Role.USED or (each is Role.OTHER and written(scoping, leaf)))
        and not any(sight.holds(leaf) for sight in sights)
    ]


def _unbound(scoping: Scoping, leaf: "Node") -> Role:
    parent = leaf.parent
    if parent is None:
        return Role.OTHER
    if parent.type in scoping.components:
        own = (leaf.text or b"")[:1].isupper()
        return Role.USED if own and _field(parent, leaf) == "name" else Role.OTHER
    fields = scoping.others.get(parent.type)
    if fields is not None and (fields is ANY or _field(parent, leaf) in fields):
        return Role.OTHER
    return Role.USED


def _field(parent: "Node", child: "Node") -> str:
    for index, other in enumerate(parent.children):
        if other == child:
            return parent.field_name_for_child(index) or ""
    return ""


def _sight(scoping: Scoping, reach: Reach, binder: "Node") -> Sight:
    if reach is Reach.ITSELF:
        return Sight(binder.start_byte, binder.end_byte)
    kinds = {
        Reach.BLOCK: scoping.scopes,
        Reach.FUNCTION: scoping.functions,
        Reach.FILE: frozenset[str](),
    }[reach]
    scope = binder.parent
    while scope is not None and scope.parent is not None and scope.type not in kinds:
        scope = scope.parent
    if scope is None or scope.parent is None:
        root = scope or binder
        return Sight(0, root.end_byte)
    start = binder.end_byte if scoping.ordered else scope.start_byte
    return Sight(start, scope.end_byte)
