"""Evidence against a text inserted into a buffer of a language with braces."""

from synconfroute.validators.evidence.braces.block import block
from synconfroute.validators.evidence.braces.flow import Flow
from synconfroute.validators.evidence.braces.grammar import Grammar
from synconfroute.validators.evidence.braces.language import BRACES, Braces
from synconfroute.validators.evidence.braces.names import names
from synconfroute.validators.evidence.braces.outline import Outline
from synconfroute.validators.evidence.braces.unbound import Names
from synconfroute.validators.evidence.duplicate import duplicate
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence


class BracesWitness:
    """Looks at the block around an insertion (see `Witness`)."""

    def __init__(self, language: str) -> None:
        """Load the grammar.

        Args:
            language: one of the ids in `BRACES`.

        Raises:
            ImportError: its grammar is not installed.
        """
        self._language: Braces = BRACES[language]
        scoping = self._language.scoping
        leaves = scoping.leaves if scoping is not None else ()
        self._grammar = Grammar(self._language.package, self._language.loader, leaves)
        self._outline = Outline(scoping) if scoping is not None else None
        self._closed = False

    def update(self, text: str) -> None:
        """Take note of the names that the buffer holds, and of whether they are all its own."""
        self._closed = self._closes(text)
        if self._outline is not None:
            self._outline.update(text.removeprefix("\ufeff"))

    def find(self, insertion: Insertion) -> tuple[Evidence, ...]:
        """Names, jumps and repeated lines; () when in doubt."""
        if not insertion.text.strip():
            return ()
        found = duplicate(insertion)
        lines = block(insertion)
        if lines is None:
            return tuple(found)
        source = f"{self._language.head}\n{lines.text}\n{self._language.tail}\n"
        tree = self._grammar.parse(source)
        if tree is None:
            return tuple(found)
        found += Flow(self._language, lines).unreachable(tree)
        if self._language.names is not None and self._closed and self._closes(lines.own):
            found += names(self._language.names, insertion, lines, tree)
        if self._language.scoping is not None and self._outline is not None:
            rules = self._language.scoping
            around = Names(rules, self._grammar, self._outline, insertion, lines)
            found += around.unbound(tree, source)
        return tuple(found)

    def _closes(self, text: str) -> bool:
        """Does this text bring no names from outside the file?"""
        names = self._language.names
        return names is not None and not any(sign.search(text) for sign in names.elsewhere)
