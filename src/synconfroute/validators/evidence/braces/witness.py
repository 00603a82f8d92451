"""Evidence against a text inserted into a buffer of a language with braces."""

from synconfroute.validators.evidence.braces.block import Block, block
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
        return tuple(found if lines is None else found + self._read(insertion, lines))

    def _read(self, insertion: Insertion, lines: Block) -> list[Evidence]:
        """What the block's tree tells, where its words say that there may be something."""
        rules = self._language
        flow = Flow(rules, lines)
        around, left = None, set[str]()
        if rules.scoping is not None and self._outline is not None:
            around = Names(rules.scoping, self._grammar, self._outline, insertion, lines)
            left = around.out_of_sight()
        told = rules.names is not None and self._closed and self._closes(lines.own)
        if not (left or told or flow.possible()):
            return []
        source = f"{rules.head}\n{lines.text}\n{rules.tail}\n"
        tree = self._grammar.parse(source)
        if tree is None:
            return []
        found = flow.unreachable(tree)
        if told and rules.names is not None:
            found += names(rules.names, insertion, lines, tree)
        if left and around is not None:
            found += around.unbound(left, tree, source)
        return found

    def _closes(self, text: str) -> bool:
        """Does this text bring no names from outside the file?"""
        names = self._language.names
        return names is not None and not any(sign.search(text) for sign in names.elsewhere)
