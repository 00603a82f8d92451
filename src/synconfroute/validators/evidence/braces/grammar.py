"""A grammar at work: texts to trees, within a limit of time, and the names in them."""

import time
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

# What one text may take of the processor, so that a busy machine finds no less. Most take a fifth
# of a millisecond.
_MOST_S = 0.02


class Grammar:
    """One language's parser."""

    def __init__(self, package: str, loader: str, leaves: tuple[str, ...] = ()) -> None:
        """Load the grammar.

        Args:
            package: the Python package that brings it.
            loader: that package's function that gives it.
            leaves: its nodes that are names.

        Raises:
            ImportError: it is not installed.
        """
        import tree_sitter

        language = tree_sitter.Language(getattr(import_module(package), loader)())
        self._parser = tree_sitter.Parser(language)
        pattern = " ".join(f"({leaf}) @name" for leaf in leaves)
        self._cursor = tree_sitter.QueryCursor(tree_sitter.Query(language, pattern))

    def parse(self, text: str) -> "Node | None":
        """The tree of a text; None where the text does not parse, or not in time."""
        data = text.encode(errors="replace")
        end = time.thread_time() + _MOST_S
        try:
            root = self._parser.parse(
                lambda offset, _: data[offset:],
                progress_callback=lambda *_: time.thread_time() > end,
            ).root_node
        except ValueError:
            self._parser.reset()
            return None
        return None if root.has_error else root

    def names(self, root: "Node", text: str, wanted: set[str]) -> dict[str, list["Node"]]:
        """The places of these names in a text's tree, in the order of the text."""
        data = text.encode(errors="replace")
        found: dict[str, list[Node]] = {}
        for node in self._cursor.captures(root).get("name", ()):
            name = data[node.start_byte : node.end_byte].decode(errors="replace")
            if name in wanted:
                found.setdefault(name, []).append(node)
        for nodes in found.values():
            nodes.sort(key=lambda node: node.start_byte)
        return found
