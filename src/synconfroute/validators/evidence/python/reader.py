"""Notes the bindings and uses of a piece of Python, in the order in which it runs."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from synconfroute.validators.evidence.python.scopes import Kind, Use
from synconfroute.validators.evidence.python.walk import Walk

# Calls that have read a generator to its end when they return.
_EXHAUSTING = {
    *("all", "any", "bytes", "dict", "extend", "frozenset", "join", "list", "max", "min"),
    *("set", "sorted", "sum", "tuple", "update"),
}
# Names may come and go unseen where one of these is called.
_DYNAMIC = frozenset(("exec", "execfile", "globals"))
_MISSING_NAMES = frozenset(("NameError", "UnboundLocalError"))


class Reader(Walk):
    """Reads a tree once.

    Attributes:
        doubtful: names may come and go unseen: a star import, `exec`, `globals()`.
        forgiving: a missing name is caught and may be meant.
    """

    def __init__(self, tree: ast.AST) -> None:
        super().__init__()
        self.doubtful = False
        self.forgiving = False
        self._annotation = False
        self._read(tree)

    def _name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id, node)
            return
        self._order += 1
        self.uses.append(
            Use(node.id, node, self._scope, self._order, self._branch, self._annotation)
        )
        self.doubtful |= node.id in _DYNAMIC

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._all(node.decorator_list)
        self._defaults(node.args)
        with self._type_parameters(node):
            self._annotations(node)
            with self._within(Kind.FUNCTION, later=True):
                self._parameters(node.args)
                self._all(node.body)
        self._bind(node.name, node)

    def _lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        with self._within(Kind.FUNCTION, later=True):
            self._parameters(node.args)
            self._read(node.body)

    def _class(self, node: ast.ClassDef) -> None:
        self._all(node.decorator_list)
        with self._type_parameters(node):
            self._all(node.bases)
            self._all(node.keywords)
            with self._within(Kind.CLASS, later=False):
                self._all(node.body)
        self._bind(node.name, node)

    @contextmanager
    def _type_parameters(self, node: ast.AST) -> Iterator[None]:
        """The scope of `[T]` behind a name (PEP 695), where there is one."""
        parameters = getattr(node, "type_params", None)
        if not parameters:
            yield
            return
        with self._within(Kind.COMPREHENSION, later=False):
            for parameter in parameters:
                self._bind(parameter.name, parameter)
            yield

    def _type_alias(self, node: ast.AST) -> None:
        self._read(node.name)  # type: ignore[attr-defined]  # ast.TypeAlias, from 3.12 on
        with self._type_parameters(node), self._within(Kind.FUNCTION, later=True):
            self._read(node.value)  # type: ignore[attr-defined]

    def _defaults(self, arguments: ast.arguments) -> None:
        self._all(arguments.defaults)
        self._all(arguments.kw_defaults)

    def _annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for argument in _arguments(node.args):
            self._annotated(argument.annotation)
        self._annotated(node.returns)

    def _annotated(self, annotation: ast.expr | None) -> None:
        before, self._annotation = self._annotation, True
        self._maybe(annotation)
        self._annotation = before

    def _parameters(self, arguments: ast.arguments) -> None:
        for argument in _arguments(arguments):
            self._bind(argument.arg, argument)

    def _assign(self, node: ast.Assign) -> None:
        self._read(node.value)
        self._all(node.targets)

    def _named(self, node: ast.NamedExpr) -> None:
        """`:=` in a comprehension binds in the scope around it."""
        self._read(node.value)
        scope = self._scope
        while self._scope.kind is Kind.COMPREHENSION and self._scope.outer is not None:
            self._scope = self._scope.outer
        self._read(node.target)
        self._scope = scope

    def _augmented(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            place = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            self._read(place)
        self._read(node.value)
        self._read(node.target)

    def _annotated_assign(self, node: ast.AnnAssign) -> None:
        self._annotated(node.annotation)
        self._maybe(node.value)
        self._read(node.target)

    def _if(self, node: ast.If | ast.IfExp) -> None:
        self._read(node.test)
        self._branches(_block(node.body), _block(node.orelse))

    def _boolean(self, node: ast.BoolOp) -> None:
        self._read(node.values[0])
        self._branches(node.values[1:])

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._read(node.iter)
        with self._sometimes(loop=True):
            self._read(node.target)
            self._all(node.body)
        self._branches(node.orelse)

    def _while(self, node: ast.While) -> None:
        with self._sometimes(loop=True):
            self._read(node.test)
            self._all(node.body)
        self._branches(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        """A context manager may swallow an exception: what stands behind runs all the same."""
        self._all(node.items)
        self._branches(node.body)

    def _try(self, node: ast.Try) -> None:
        self._branches(node.body)
        self._branches(*([handler] for handler in node.handlers))
        self._branches(node.orelse)
        self._all(node.finalbody)

    def _handler(self, node: ast.ExceptHandler) -> None:
        self._maybe(node.type)
        if node.type is not None:
            caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)}
            self.forgiving |= bool(caught & _MISSING_NAMES)
        self._bind(node.name, node)
        self._all(node.body)

    def _match_case(self, node: ast.match_case) -> None:
        with self._sometimes():
            self._read(node.pattern)
            self._maybe(node.guard)
            self._all(node.body)

    def _capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if isinstance(node, ast.MatchAs):
            self._maybe(node.pattern)
        self._bind(node.name, node)

    def _match_mapping(self, node: ast.MatchMapping) -> None:
        self._all(node.keys)
        self._all(node.patterns)
        self._bind(node.rest, node)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self.doubtful |= alias.name == "*"
            self._bind(alias.asname or alias.name.partition(".")[0], alias)

    def _global(self, node: ast.Global) -> None:
        for name in node.names:
            self._scope.elsewhere[name] = self.top
            self._bind(name, node)

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        outer = self._scope.outer
        while outer is not None and outer.kind is not Kind.FUNCTION:
            outer = outer.outer
        for name in node.names:
            self._scope.elsewhere[name] = outer or self.top

    def _call(self, node: ast.Call) -> None:
        """A generator that is the call's argument runs at once where the call exhausts it."""
        self._read(node.func)
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp):
                self._comprehension([argument.elt], argument, later=called not in _EXHAUSTING)
            else:
                self._read(argument)
        self._all(node.keywords)

    def _listed(self, node: ast.ListComp | ast.SetComp) -> None:
        self._comprehension([node.elt], node, later=False)

    def _mapped(self, node: ast.DictComp) -> None:
        self._comprehension([node.key, node.value], node, later=False)

    def _generated(self, node: ast.GeneratorExp) -> None:
        self._comprehension([node.elt], node, later=True)

    def _comprehension(
        self,
        made: list[ast.expr],
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        *,
        later: bool,
    ) -> None:
        """The first iterable belongs to the scope around it."""
        first, *others = node.generators
        self._read(first.iter)
        with self._within(Kind.COMPREHENSION, later=later), self._sometimes(loop=True):
            self._read(first.target)
            self._all(first.ifs)
            for other in others:
                self._read(other.iter)
                self._read(other.target)
                self._all(other.ifs)
            self._all(made)


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    several = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return several + [one for one in (arguments.vararg, arguments.kwarg) if one is not None]


def _block(part: ast.expr | list[ast.stmt]) -> list[ast.stmt] | list[ast.expr]:
    return part if isinstance(part, list) else [part]


Reader.SPECIAL = {
    ast.Name: Reader._name,
    ast.FunctionDef: Reader._function,
    ast.AsyncFunctionDef: Reader._function,
    ast.Lambda: Reader._lambda,
    ast.ClassDef: Reader._class,
    ast.Assign: Reader._assign,
    ast.NamedExpr: Reader._named,
    ast.AugAssign: Reader._augmented,
    ast.AnnAssign: Reader._annotated_assign,
    ast.If: Reader._if,
    ast.IfExp: Reader._if,
    ast.BoolOp: Reader._boolean,
    ast.For: Reader._for,
    ast.AsyncFor: Reader._for,
    ast.While: Reader._while,
    ast.With: Reader._with,
    ast.AsyncWith: Reader._with,
    ast.Try: Reader._try,
    ast.TryStar: Reader._try,
    ast.ExceptHandler: Reader._handler,
    ast.match_case: Reader._match_case,
    ast.MatchAs: Reader._capture,
    ast.MatchStar: Reader._capture,
    ast.MatchMapping: Reader._match_mapping,
    ast.Import: Reader._import,
    ast.ImportFrom: Reader._import,
    ast.Global: Reader._global,
    ast.Nonlocal: Reader._nonlocal,
    ast.Call: Reader._call,
    ast.ListComp: Reader._listed,
    ast.SetComp: Reader._listed,
    ast.DictComp: Reader._mapped,
    ast.GeneratorExp: Reader._generated,
}
if hasattr(ast, "TypeAlias"):
    Reader.SPECIAL[ast.TypeAlias] = Reader._type_alias
