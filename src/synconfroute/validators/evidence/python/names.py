"""Names that the inserted text uses, or the code below needs, and that nothing defines."""

import builtins

from synconfroute.validators.evidence.python.outline import Outline
from synconfroute.validators.evidence.python.reader import Reader
from synconfroute.validators.evidence.python.region import Region
from synconfroute.validators.evidence.python.scopes import Use
from synconfroute.validators.verdict import Evidence

# More findings of one kind say nothing more.
_MOST = 3
# What every module has, what other releases of Python bring, and what tools put there.
_ALWAYS = {
    *dir(builtins),
    *("__annotations__", "__builtins__", "__cached__", "__class__", "__debug__", "__dict__"),
    *("__doc__", "__file__", "__loader__", "__module__", "__name__", "__package__", "__path__"),
    *("__qualname__", "__spec__", "__firstlineno__", "__static_attributes__", "__classdict__"),
    *("__conditional_annotations__", "__type_params__", "__warningregistry__"),
    *("BaseExceptionGroup", "EncodingWarning", "ExceptionGroup", "PythonFinalizationError"),
    *("WindowsError", "aiter", "anext", "frozendict", "sentinel"),
    *("In", "Out", "_", "__", "___", "display", "get_ipython", "reveal_locals", "reveal_type"),
    *("copyright", "credits", "exit", "license", "quit"),
}


def names(region: Region, outline: Outline, dead: range) -> list[Evidence]:
    """The first lines that use an undefined name, and the first that need one.

    Lines of the tree that never run need nothing.
    """
    reader = Reader(region.tree)
    if reader.forgiving or reader.doubtful:
        return []
    suspects = [use for use in reader.uses if _undefined(use, region, outline)]
    if not suspects:
        return []
    known = {use.name for use in suspects if _above(use, region)}
    known |= outline.read_elsewhere({use.name for use in suspects} - known, but_for=region.chunk)
    fresh = [use for use in suspects if use.name not in known]
    used = [use for use in fresh if not _above(use, region) and not _below(use, region)]
    reach = region.reach()
    needed = [use for use in fresh if _below(use, region) and use.node.lineno <= reach]
    needed = [use for use in needed if use.node.lineno not in dead]
    return [
        *_evidence("name", _USED, used, region),
        *_evidence("missing", _NEEDED, needed, region),
    ]


def _evidence(
    kind: str, messages: dict[bool, str], uses: list[Use], region: Region
) -> list[Evidence]:
    lines = {use.node.lineno + region.shift: use for use in reversed(uses)}
    return [
        Evidence(kind, messages[lines[line].binder() is None].format(line), line)
        for line in sorted(lines)[:_MOST]
    ]


_USED = {
    True: "Line {} uses a name that nothing in this file defines.",
    False: "Line {} uses a local name before it gets a value.",
}
_NEEDED = {
    True: "Line {} needs a name that nothing in this file defines, nor does this text.",
    False: "Line {} needs a local name that has no value yet, and this text gives it none.",
}


def _undefined(use: Use, region: Region, outline: Outline) -> bool:
    if use.binder() is not None:
        return use.too_early()
    if use.name in _ALWAYS or outline.doubtful:
        return False
    if outline.binds(use.name, but_for=region.chunk):
        return False
    return not region.beside_it(use.name, in_class=use.scope.outer is None)


def _above(use: Use, region: Region) -> bool:
    node = use.node
    return (node.end_lineno or node.lineno, node.end_col_offset or 0) <= region.start


def _below(use: Use, region: Region) -> bool:
    return (use.node.lineno, use.node.col_offset) >= region.end
