"""Evidence against a text inserted into a buffer of a language with braces."""

import time
from importlib import import_module
from typing import TYPE_CHECKING

from synconfroute.validators.evidence.braces.block import Block, block
from synconfroute.validators.evidence.braces.flow import Flow
from synconfroute.validators.evidence.braces.language import BRACES, Braces
from synconfroute.validators.evidence.braces.names import names
from synconfroute.validators.evidence.duplicate import duplicate
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence

if TYPE_CHECKING:
    from tree_sitter import Node

# What one block may take of the processor, so that a busy machine finds no less. Most take a fifth
# of a millisecond.
_MOST_S = 0.02


class BracesWitness:
    """Looks at the block around an insertion (see `Witness`)."""

    def __init__(self, language: str) -> None:
        """Load the grammar.

        Args:
            language: one of the ids in `BRACES`.

        Raises:
            ImportError: its grammar is not installed.
        """
        import tree_sitter

        self._language: Braces = BRACES[language]
        package = import_module(self._language.package)
        grammar = getattr(package, self._language.loader)()
        self._closed = False
        self._parser = tree_sitter.Parser(tree_sitter.Language(grammar))

    def update(self, text: str) -> None:
        """Take note of whether the buffer tells all names of its own."""
        self._closed = self._closes(text)

    def find(self, insertion: Insertion) -> tuple[Evidence, ...]:
        """Jumps and repeated lines; () when in doubt."""
        if not insertion.text.strip():
            return ()
        found = duplicate(insertion)
        lines = block(insertion)
        tree = self._tree(lines) if lines is not None else None
        if lines is not None and tree is not None:
            found += Flow(self._language, lines).unreachable(tree)
            if self._language.names is not None and self._closed and self._closes(lines.own):
                found += names(self._language.names, insertion, lines, tree)
        return tuple(found)

    def _closes(self, text: str) -> bool:
        """Does this text bring no names from outside the file?"""
        names = self._language.names
        return names is not None and not any(sign.search(text) for sign in names.elsewhere)

    def _tree(self, lines: Block) -> "Node | None":
        """What the lines parse to, as statements of a function; None where they do not."""
        data = f"{self._language.head}\n{lines.text}\n{self._language.tail}\n".encode(
            errors="replace"
        )
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
