"""Words that open and close blocks, as `do` and `done` do."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from synconfroute.validators.treesitter.tokens import Token


@dataclass(frozen=True, slots=True)
class BlockWords:
    """Which words do so in a language.

    Attributes:
        openers: words, and the bracket that each of them stands for.
        closers: words, each a closing bracket.
        begins: pattern of tokens behind which a statement or an operand begins.
        anywhere: words that open or close wherever they stand; the others must begin something.
        never_behind: pattern of tokens behind which a word is a name.
        never_before: pattern of what makes the word in front of it a name.
        nothing: by opener, pattern of what follows it where it opens nothing.
        loops: openers whose heads may end with `do`, which then opens no other block.
        heads: by bracket, the word that ends the head of its block, in the same line or below.
        patterned: the bracket in which a `)` ends a pattern; "" for none.
    """

    openers: Mapping[str, str]
    closers: frozenset[str]
    begins: str
    anywhere: frozenset[str] = frozenset()
    never_behind: str = "(?!)"
    never_before: str = "(?!)"
    nothing: Mapping[str, str] = field(default_factory=dict)
    loops: frozenset[str] = frozenset()
    heads: Mapping[str, str] = field(default_factory=dict)
    patterned: str = ""

    def read(self, line: str, start: int, end: int, tokens: Sequence[Token]) -> tuple[str, str]:
        """What a word is: "open" or "close" and its bracket, or "word" and itself.

        Args:
            line: where it stands.
            start: its first column.
            end: the column behind it.
            tokens: those before it in the line.
        """
        word, before = line[start:end], tokens[-1] if tokens else None
        if word not in self.openers and word not in self.closers:
            return "word", word
        if before is not None and re.fullmatch(self.never_behind, before.text):
            return "word", word
        begins = before is None or before.kind == "open" or re.fullmatch(self.begins, before.text)
        if not (begins or word in self.anywhere) or re.match(self.never_before, line[end:]):
            return "word", word
        if word in self.closers:
            return "close", word
        if word in self.nothing and re.match(self.nothing[word], line[end:]):
            return "word", word
        if word == "do" and any(line[each.start : each.end] in self.loops for each in tokens):
            return "word", word
        return "open", self.openers[word]
