"""One forced line: the grammar that asks llama.cpp for it, and taking it apart again.

Measured with the starter model on ten simple holes: 8 right with the line forced, 4 without.
"""

from dataclasses import dataclass, replace

from synconfroute.clients.gbnf import escaped, quoted
from synconfroute.clients.model import LineGrammar, Token

_LONGEST_LEAD = 64
_LINE_BREAK = "\n"


@dataclass(frozen=True, slots=True)
class ForcedLine:
    """A `LineGrammar`, ready to be sent.

    Attributes:
        before: what goes to the end of the prompt: the part of an overlong lead that is not worth
            being generated.
        lead: what the answer is forced to begin with.
        gbnf: the grammar, in llama.cpp's notation.
    """

    before: str
    lead: str
    gbnf: str


def forced_line(grammar: LineGrammar) -> ForcedLine:
    """Turn a line grammar into llama.cpp's notation."""
    lead = grammar.lead[-_LONGEST_LEAD:]
    before = grammar.lead[: len(grammar.lead) - len(lead)]
    space = r"[ \t]* " if grammar.indent or not lead else ""
    forbidden = "".join(escaped(character) for character in grammar.forbid)
    first = rf"[^\x00-\x20{forbidden}]"
    rest = r"[^\x00-\x08\x0a-\x1f]*"
    gbnf = f'root ::= "{quoted(lead)}" {space}{first} {rest} "\\n"'
    return ForcedLine(before, lead, gbnf)


class LineTrimmer:
    """Takes the lead and the line break off the tokens of a forced line.

    A token that only carries lead, or the line break, is dropped: the grammar chose it. One that
    carries the answer's first characters as well keeps its log-prob with them; it counts as forced
    where more than white space of the lead is in it.
    """

    def __init__(self, lead: str) -> None:
        """`lead` is what the answer was forced to begin with."""
        self._missing = lead
        self.complete = False
        self.broken = False

    def trim(self, token: Token) -> list[Token]:
        """The part of a token that belongs to the answer, as no token or one.

        Sets `complete` once the line break came, and `broken` if the answer does not begin with
        the lead.
        """
        text = token.text
        if self._missing:
            if self._missing.startswith(text):
                self._missing = self._missing[len(text) :]
                return []
            if not text.startswith(self._missing):
                self.broken = True
                return []
            if self._missing.strip():
                token = replace(token, forced=True)
            text = text[len(self._missing) :]
            self._missing = ""
        text, line_break, _ = text.partition(_LINE_BREAK)
        self.complete = bool(line_break)
        return [replace(token, text=text)] if text else []
