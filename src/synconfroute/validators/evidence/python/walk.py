"""Walks a tree of Python in the order in which it runs."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Protocol

from synconfroute.validators.evidence.python.scopes import Binding, Branch, Kind, Scope, Use

_LEAVES = frozenset(("arg", "attr", "conversion", "ctx", "kind", "op", "ops", "type_comment"))
"""Fields of nodes that are read here, in which no name stands."""


_FIELDS = {
    kind: tuple(name for name in kind._fields if name not in _LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and not issubclass(kind, ast.Constant)
}
"""The fields of each kind of node in which names may stand."""


class _Located(Protocol):
    lineno: int


class Walk:
    """A place in a tree: the scope, the branch, and how much has run before.

    Attributes:
        top: the outermost scope.
        uses: all places that read a name, in the order of evaluation.
    """

    SPECIAL: ClassVar[Mapping[type[ast.AST], Callable[..., None]]] = {}

    def __init__(self) -> None:
        self.top = Scope(Kind.MODULE, None)
        self.uses: list[Use] = []
        self._scope = self.top
        self._branch: Branch | None = None
        self._order = 0

    def _read(self, node: ast.AST) -> None:
        special = self.SPECIAL.get(type(node))
        if special is not None:
            special(self, node)
            return
        for name in _FIELDS.get(type(node), ()):
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                self._read(value)
            elif isinstance(value, list):
                self._all(value)

    def _all(self, nodes: Iterable[ast.AST | str | None]) -> None:
        for node in nodes:
            if isinstance(node, ast.AST):
                self._read(node)

    def _maybe(self, node: ast.AST | None) -> None:
        if node is not None:
            self._read(node)

    def _bind(self, name: str | None, node: _Located) -> None:
        if name is None:
            return
        self._order += 1
        scope = self._scope.elsewhere.get(name, self._scope)
        scope.bound.setdefault(name, []).append(Binding(self._order, self._branch, node.lineno))

    @contextmanager
    def _within(self, kind: Kind, *, later: bool) -> Iterator[None]:
        """Enter a scope; code that runs later starts outside all branches."""
        scope, branch = self._scope, self._branch
        self._scope = Scope(kind, scope, later)
        if later:
            self._branch = None
        yield
        self._scope, self._branch = scope, branch

    @contextmanager
    def _sometimes(self, *, loop: bool = False) -> Iterator[None]:
        """Enter code that may not run."""
        branch = self._branch
        self._branch = Branch(branch, loop)
        yield
        self._branch = branch

    def _branches(self, *blocks: Iterable[ast.AST]) -> None:
        for block in blocks:
            with self._sometimes():
                self._all(block)
