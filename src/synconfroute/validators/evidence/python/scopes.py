"""What a piece of Python binds and reads: scopes, bindings, uses (language reference, 4.2)."""

import ast
from dataclasses import dataclass, field
from enum import Enum


class Kind(Enum):
    """What makes a scope. Names of a class are invisible to the functions in it."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """Code that may run several times, or not at all.

    Attributes:
        outer: what it stands in, within its function.
        loop: it may run several times.
    """

    outer: "Branch | None"
    loop: bool

    def within(self, other: "Branch") -> bool:
        """Is this the other, or in it?"""
        branch: Branch | None = self
        while branch is not None:
            if branch is other:
                return True
            branch = branch.outer
        return False


@dataclass(frozen=True, slots=True)
class Binding:
    """A place that gives a name a value.

    Attributes:
        order: its place in the order of evaluation.
        branch: what it stands in, within its function.
        line: 1-based line in the piece.
    """

    order: int
    branch: Branch | None
    line: int


@dataclass(eq=False, slots=True)
class Scope:
    """What one scope binds.

    Attributes:
        kind: what made it.
        outer: the scope it stands in.
        later: its code runs after the code around it, when it is called.
        bound: each name it binds, with the places, in the order of evaluation.
        elsewhere: names declared `global` or `nonlocal`, with the scope that binds them.
    """

    kind: Kind
    outer: "Scope | None"
    later: bool = False
    bound: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, "Scope"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """A place that reads a name.

    Attributes:
        name: the name.
        node: where it stands.
        scope: the scope it stands in.
        order: its place in the order of evaluation.
        branch: what it stands in, within its function.
        annotation: it is part of an annotation, which may never be evaluated.
    """

    name: str
    node: ast.Name
    scope: Scope
    order: int
    branch: Branch | None
    annotation: bool

    def binder(self) -> Scope | None:
        """The scope that binds the name, as far as this piece of code tells."""
        if self.name in self.scope.elsewhere:
            return self.scope.elsewhere[self.name]
        scope: Scope | None = self.scope
        while scope is not None:
            if self.name in scope.bound and self._sees(scope):
                return scope
            scope = scope.outer
        return None

    def _sees(self, binder: Scope) -> bool:
        """A class's names are seen in its own body, and in a comprehension there (in doubt)."""
        if binder.kind is not Kind.CLASS:
            return True
        scope = self.scope
        while scope is not binder and scope.kind is Kind.COMPREHENSION and scope.outer is not None:
            scope = scope.outer
        return scope is binder

    def runs_with(self, binder: Scope) -> bool:
        """Does it run while the binder's code runs, not in a function called later?"""
        scope: Scope | None = self.scope
        while scope is not None and scope is not binder:
            if scope.later:
                return False
            scope = scope.outer
        return True

    def too_early(self) -> bool:
        """Is the name a local of the function around it that has no value yet, whatever happens?

        So it is when all bindings come later and no loop brings one back before the first use: one
        that stands in a loop with the use stands behind it in the same block, or deeper there.
        """
        binder = self.binder()
        if binder is None or binder.kind is not Kind.FUNCTION or self.annotation:
            return False
        places = binder.bound[self.name]
        if places[0].order < self.order or not self.runs_with(binder):
            return False
        return all(self._first_of(place) for place in places)

    def _first_of(self, place: Binding) -> bool:
        if self.branch is None or (place.branch is not None and place.branch.within(self.branch)):
            return True
        branch: Branch | None = self.branch
        while branch is not None:
            if branch.loop and place.branch is not None and place.branch.within(branch):
                return False
            branch = branch.outer
        return True
