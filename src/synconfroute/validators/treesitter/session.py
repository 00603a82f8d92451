"""One buffer in a language that tree-sitter reads."""

from synconfroute.validators.grammar import Fault
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.treesitter.brackets import alien, unbalanced
from synconfroute.validators.treesitter.continuations import continuations
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.history import Change
from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.lexer import Lexer
from synconfroute.validators.treesitter.pairing import Places, paired
from synconfroute.validators.treesitter.region import Region, Regions
from synconfroute.validators.treesitter.repeats import repeated
from synconfroute.validators.treesitter.skeleton import Skeleton, skeleton
from synconfroute.validators.treesitter.style import unusual
from synconfroute.validators.treesitter.syntax import Syntax
from synconfroute.validators.verdict import Outcome, Verdict, unknown

_SIZES = ((12, 99), (0, 99), (0, 2), (0, 1), (0, 0))
"""Statements above the text, and heads of blocks, that are parsed with it: the most first."""

_MOST_S = 0.012
"""Processor time that parsing for one verdict may take."""

_VALID = Verdict(Outcome.VALID, "the code around the text parses with it")
_NO_CODE = Verdict(Outcome.VALID, "the text adds no code")


class TreeSitterSession:
    """See `Session`."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._lexer = Lexer(language)
        self._syntax = Syntax(language)
        self._closers = {close: opener for opener, close in language.brackets.items()}
        self._text: str | None = None
        self._frame: Skeleton
        self._clean: Skeleton | None = None
        self._change: Change | None = None

    def update(self, text: str) -> None:
        """See `Session.update`."""
        if text == self._text:
            return
        self._text = text
        self._frame = skeleton(self._lexer, text, self._language, self._closers)
        if self._frame.sound:
            self._clean, self._change = self._frame, None
        elif self._clean is not None:
            self._change = Change.between(self._clean, self._frame)

    def judge(self, insertion: Insertion) -> Verdict:
        """See `Session.judge`."""
        self.update(insertion.prefix + insertion.suffix)
        self._syntax.begin(_MOST_S)
        edit = Edit(self._lexer, self._frame, insertion, self._closers)
        fault = (
            alien(edit) or unbalanced(edit, self._paired(edit)) or unusual(edit) or repeated(edit)
        )
        if fault is not None:
            return _invalid(fault)
        if not any(each.side == 0 for each in edit.placed):
            return _NO_CODE
        return self._parse(edit)

    def _paired(self, edit: Edit) -> Places:
        known = self._change.paired(edit) if self._change is not None else None
        if known is not None:
            return known
        return paired(edit.opened_left, edit.need, self._closers)

    def _parse(self, edit: Edit) -> Verdict:
        regions = Regions(self._frame, edit.row, self._language, self._closers)
        for siblings, heads in _SIZES:
            region = regions.region(siblings, heads)
            if any(self._fits(edit, region, block) for block in self._language.after_block):
                return _VALID
            if self._sound(edit, region):
                return _invalid(Fault(edit.row + edit.text.count("\n") + 1, "invalid syntax"))
        return unknown("the code around the text does not parse without it either")

    def _fits(self, edit: Edit, region: Region, block: str, *, harmless: bool = False) -> bool:
        """Can the user go on behind the text so that the region is whole?"""
        code = region.above + "\n".join(edit.texts)
        ends = continuations(edit, self._language, region.outside, block, harmless=harmless)
        return any(self._syntax.parses(code + end) for end in ends)

    def _sound(self, edit: Edit, region: Region) -> bool:
        """Would something else have been possible in the text's place?"""
        bare = self._other(edit, "", "", "")
        blocks = self._language.after_block
        fit = next((each for each in blocks if self._fits(bare, region, each, harmless=True)), None)
        if fit is None:
            return False
        return (not edit.left.strip() and not edit.right.strip()) or any(
            self._fits(self._other(edit, edit.left, text, edit.right), region, fit, harmless=True)
            for text in self._language.placeholders
        )

    def _other(self, edit: Edit, left: str, text: str, right: str) -> Edit:
        """Another text on the same line."""
        insertion = Insertion("\n" * edit.row + left, text, right)
        return Edit(self._lexer, self._frame, insertion, self._closers)


def _invalid(fault: Fault) -> Verdict:
    return Verdict(Outcome.INVALID, f"line {fault.line}: {fault.message}")
