"""Languages that tree-sitter reads."""

from typing import TYPE_CHECKING

from synconfroute.validators.grammar import Fault
from synconfroute.validators.insertion import Insertion

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_FAULTS = "[(ERROR) (MISSING)] @fault"


class TreeSitterGrammar:
    """A tree-sitter grammar, and the harmless texts of its language."""

    def __init__(self, language: "Language", placeholders: tuple[str, ...]) -> None:
        from tree_sitter import Parser, Query

        self._parser = Parser(language)
        self._faults = Query(language, _FAULTS)
        self._placeholders = placeholders

    def parses(self, buffer: str) -> bool:
        """See `Grammar.parses`."""
        return not self._tree(buffer).root_node.has_error

    def fault(self, insertion: Insertion) -> Fault | None:
        """See `Grammar.fault`."""
        root = self._tree(insertion.buffer).root_node
        return self._nearest_fault(root, insertion.lines) if root.has_error else None

    def placeholders(self, insertion: Insertion) -> tuple[str, ...]:
        """See `Grammar.placeholders`."""
        return tuple(f"{text}{insertion.line_end}" for text in self._placeholders)

    def _tree(self, buffer: str) -> "Tree":
        # Some tokens need a line break after them; without one the root has an error that no
        # node shows.
        return self._parser.parse(f"{buffer}\n".encode())

    def _nearest_fault(self, root: "Node", lines: range) -> Fault:
        from tree_sitter import QueryCursor

        faults = [
            _fault(node, lines)
            for node in QueryCursor(self._faults).captures(root).get("fault", [])
        ]
        first, last = lines[0], lines[-1]
        return min(
            faults,
            key=lambda fault: (max(first - fault.line, fault.line - last, 0), fault.line),
            default=Fault(last, "invalid syntax"),
        )


def _fault(node: "Node", lines: range) -> Fault:
    if node.is_missing:
        return Fault(node.start_point.row + 1, f"missing {node.type}")
    start, end = node.start_point.row + 1, node.end_point.row + 1
    # An error may span half the file; if the text stands in it, the text is where it began.
    return Fault(lines[0] if start < lines[0] <= end else start, "invalid syntax")
