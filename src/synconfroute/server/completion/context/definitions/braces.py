"""Definitions of languages with braces, by tree-sitter."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from synconfroute.server.completion.context.definitions.definition import Definition, bounded
from synconfroute.server.completion.context.definitions.grammars import GRAMMARS, Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_NODES = 50_000
"""So many nodes of one file are looked at."""
_LONG_VALUE = 120
_COMMENTS = frozenset(("comment", "line_comment", "block_comment"))
_DECORATED = frozenset(
    ("export_statement", "template_declaration", "ambient_declaration", "type_declaration")
)
"""Definitions whose name stands in what they hold."""

_Cut = tuple[int, int, str]


class Braces:
    """Reads the files of one language."""

    def __init__(self, language: str) -> None:
        """Load its grammar; `language` is one of `GRAMMARS`."""
        from tree_sitter import Language, Parser

        self._grammar = GRAMMARS[language]
        made = getattr(import_module(self._grammar.package), self._grammar.function)()
        self._parser = Parser(Language(made))

    def definitions(self, text: str) -> list[Definition]:
        """The definitions of a file, in order, those in namespaces too."""
        data = text.encode()
        found = []
        for node in _defined(self._parser.parse(data).root_node, self._grammar):
            name = _name(node)
            if name:
                shown = bounded(_without_bodies(node, data, self._grammar))
                first, last = node.start_point.row, _last_line(node, self._grammar)
                found.append(Definition(name, shown, first, last))
        return found


def _defined(root: "Node", grammar: Grammar) -> Iterator["Node"]:
    waiting, seen = [root], 0
    while waiting and seen < _MOST_NODES:
        node = waiting.pop()
        seen += 1
        if node.type in grammar.holders:
            waiting += reversed(node.named_children)
        elif node.type in grammar.defined:
            yield node


def _name(node: "Node") -> str:
    """What a definition is called; "" where it makes no name."""
    here: Node | None = node
    while here is not None:
        named = here.child_by_field_name("name")
        if named is not None:
            empty = here.type == "preproc_def" and here.child_by_field_name("value") is None
            return "" if empty else _text(named)
        inner = (
            here.child_by_field_name("declarator")
            or here.child_by_field_name("declaration")
            or (here.child_by_field_name("type") if here.type == "impl_item" else None)
            or _inner(here)
        )
        if inner is None and not here.named_child_count:
            return _text(here) if here.type.endswith("identifier") else ""
        here = inner
    return ""


def _inner(node: "Node") -> "Node | None":
    """What the name of a definition stands in, where no field says so."""
    if node.type in _DECORATED:
        children = [child for child in node.named_children if child.type not in _COMMENTS]
        return children[-1] if children and node.child_by_field_name("source") is None else None
    kinds = ("variable_declarator", "const_spec", "var_spec", "type_identifier")
    return next((child for child in node.named_children if child.type in kinds), None)


def _text(node: "Node") -> str:
    return (node.text or b"").decode(errors="replace")


def _last_line(node: "Node", grammar: Grammar) -> int:
    """The last line of what is shown of a definition: a function ends where its body begins."""
    inner = node.child_by_field_name("declaration") or node
    if inner.type == "template_declaration" and inner.named_children:
        inner = inner.named_children[-1]
    body = inner.child_by_field_name("body")
    if body is not None and body.type in grammar.bodies:
        return body.start_point.row
    end = node.end_point
    return end.row if end.column else max(end.row - 1, node.start_point.row)


def _without_bodies(node: "Node", data: bytes, grammar: Grammar) -> str:
    """A definition's text, indented as if it stood at the file's own level."""
    pieces, at = [], node.start_byte
    for start, end, instead in sorted(_cuts(node, grammar)):
        if start < at:
            continue
        kept = data[at:start].decode(errors="replace")
        pieces.append(kept.rstrip() + instead if instead == ";" else kept + instead)
        at = end
    pieces.append(data[at : node.end_byte].decode(errors="replace"))
    after = node.next_sibling
    if after is not None and after.type == ";":
        pieces.append(";")
    first, *rest = "".join(pieces).split("\n")
    margin = " \t"[: node.start_point.column]
    column = node.start_point.column
    return "\n".join(
        [first, *(line[column:] if not line[:column].strip(margin) else line for line in rest)]
    )


def _cuts(definition: "Node", grammar: Grammar) -> list[_Cut]:
    """What is left out: bodies, comments, long values, and what only the definition may use."""
    cuts: list[_Cut] = []
    waiting, seen = [definition], 0
    while waiting and seen < _MOST_NODES:
        node = waiting.pop()
        seen += 1
        if node is not definition:
            instead = _instead(node, grammar)
            if instead is not None:
                cuts.append((node.start_byte, node.end_byte, instead))
                continue
        hidden = _private_members(node) if node.type == "field_declaration_list" else ()
        cuts += [(child.start_byte, child.end_byte, "") for child in hidden]
        waiting += node.children
    return cuts


def _instead(node: "Node", grammar: Grammar) -> str | None:
    """What stands in a node's stead; None where it stays."""
    if node.type in _COMMENTS or node.type in grammar.hidden or _is_private(node):
        return ""
    if node.type == "field_initializer_list":
        return ""
    if node.type in grammar.bodies:
        return grammar.instead
    if node.type in grammar.values and node.end_byte - node.start_byte > _LONG_VALUE:
        return "..."
    return None


def _is_private(node: "Node") -> bool:
    """Is it a member that says of itself that it is private?"""
    if not node.named_child_count:
        return False
    first = node.named_children[0]
    if first.type == "private_property_identifier":
        return True
    return first.type in ("modifiers", "accessibility_modifier") and b"private" in (
        first.text or b""
    )


def _private_members(body: "Node") -> Iterator["Node"]:
    """The members of a class of C++ that are private, with the words that make them so."""
    parent = body.parent
    private = parent is not None and parent.type == "class_specifier"
    for child in body.children[1:-1]:
        if child.type == "access_specifier":
            private = b"private" in (child.text or b"")
        if private:
            yield child
