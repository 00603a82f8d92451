"""One buffer in a language that tree-sitter reads."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from synconfroute.validators.grammar import Fault, Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.treesitter.brackets import alien, unbalanced
from synconfroute.validators.treesitter.continuations import continuations
from synconfroute.validators.treesitter.edit import OWN, Edit
from synconfroute.validators.treesitter.heads import behind_head
from synconfroute.validators.treesitter.history import Change
from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.lexer import LONGEST, Lexer
from synconfroute.validators.treesitter.macros import readings
from synconfroute.validators.treesitter.pairing import Places, paired
from synconfroute.validators.treesitter.precedents import has_precedent
from synconfroute.validators.treesitter.region import Region, Regions
from synconfroute.validators.treesitter.repeats import repeated
from synconfroute.validators.treesitter.skeleton import Skeleton, skeleton
from synconfroute.validators.treesitter.style import unusual
from synconfroute.validators.treesitter.syntax import Syntax
from synconfroute.validators.treesitter.unended import unended
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown

_ALL = 99
_CLOSES = frozenset({"}", "end", "fi", "done", "esac"})
_MOST, _FEW = 40, 4
"""So many continuations are tried behind the text; and where it is missing, or macros are read."""

_VALID = Verdict(Outcome.VALID, "the code around the text parses with it")
_OPEN = "the text leaves open what is to be typed below it"
_FITS = Verdict(Outcome.VALID, "the text closes what is open")
_WHOLE = Verdict(Outcome.VALID, "the whole file parses with it")
_USUAL = Verdict(Outcome.VALID, "the line looks like others of the buffer")
_NO_CODE = Verdict(Outcome.VALID, "the text adds no code")


class TreeSitterSession:
    """See `Session`."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._lexer = Lexer(language)
        self._syntax = Syntax(language)
        self._text: str | None = None
        self._frame: Skeleton
        self._clean: Skeleton | None = None
        self._change: Change | None = None

    def update(self, text: str) -> None:
        """See `Session.update`."""
        if text == self._text:
            return
        self._text = text
        self._frame = skeleton(self._lexer, text)
        if self._frame.sound:
            self._clean, self._change = self._frame, None
        elif self._clean is not None:
            self._change = Change.between(self._clean, self._frame)

    def judge(self, insertion: Insertion) -> Verdict:
        """See `Session.judge`."""
        self.update(insertion.prefix + insertion.suffix)
        if re.match(self._language.foreign, insertion.prefix):
            return unknown(f"the file is not in {self._language.name}")
        self._syntax.begin(self._language.seconds)
        if len(insertion.left) + len(insertion.text) > LONGEST:
            raise Undecidable("the line around the text is too long")
        edit = Edit(self._lexer, self._frame, insertion)
        verdict = self._judge(edit)
        if verdict.outcome is Outcome.VALID and edit.leaves_open:
            line = edit.row + edit.text.count("\n") + 1
            return replace(verdict, evidence=(Evidence("open", _OPEN, line),))
        return verdict

    def _judge(self, edit: Edit) -> Verdict:
        fault = (
            alien(edit) or unbalanced(edit, self._paired(edit)) or unusual(edit) or repeated(edit)
        )
        if fault is not None:
            return _invalid(fault)
        own = [each.token.text for each in edit.placed if each.side == OWN]
        if not own:
            return _NO_CODE
        if _CLOSES.issuperset(own):
            return _FITS
        verdict = self._parse(edit)
        if verdict.outcome is Outcome.INVALID and has_precedent(edit):
            return _USUAL
        return verdict

    def _paired(self, edit: Edit) -> Places:
        known = self._change.paired(edit) if self._change is not None else None
        if known is not None:
            return known
        return paired(edit.opened_left, edit.need, edit.closers)

    def _parse(self, edit: Edit) -> Verdict:
        regions = [region for region in self._regions(edit) if region.outside <= edit.lowest]
        if any(self._fits(edit, region, most=1) for region in regions if region.heads):
            return _VALID
        broken = known = False
        for region in regions:
            if known and not region.heads and not edit.lacks_opener:
                break
            sound = self._sound(edit, region)
            if self._fits(edit, sound or region) or self._fits_otherwise(edit, region):
                return _VALID
            if sound is not None and not region.torn:
                broken = broken or self._left_is_sound(edit, sound)
            known = known or (broken and region.heads)
        if broken and self._whole(edit):
            return _WHOLE
        if broken:
            return _invalid(Fault(edit.row + edit.text.count("\n") + 1, "invalid syntax"))
        return unknown("the code around the text does not parse without it either")

    def _whole(self, edit: Edit) -> bool:
        """Is the file right with the text, whatever its surroundings alone look like?"""
        if not self._language.whole:
            return False
        texts = edit.frame.texts
        try:
            return self._syntax.parses(
                "\n".join((*texts[: edit.row], *edit.texts, *texts[edit.row + 1 :]))
            )
        except Undecidable:
            return False

    def _regions(self, edit: Edit) -> list[Region]:
        regions = Regions(edit)
        wrapper = self._language.wrapper
        bare = regions.region(0)
        return list(
            dict.fromkeys(
                (
                    regions.region(_ALL),
                    regions.region(_ALL, alone=True),
                    regions.region(1).within(wrapper),
                    bare,
                    bare.within(wrapper),
                )
            )
        )

    def _fits(
        self, edit: Edit, region: Region, *, harmless: bool = False, most: int = _MOST
    ) -> bool:
        """Can the user go on behind the text so that the region is whole?"""
        ends = list(islice(self._ends(edit, region.outside, harmless=harmless), most))
        if most == _MOST and not harmless:
            ends += behind_head(edit, region.outside)
        lines = "\n".join(edit.texts)
        for read in islice(readings(lines, self._language.macros), most):
            for end in ends:
                if self._syntax.parses(region.above + read + end + region.below):
                    return True
            del ends[_FEW:]
        return False

    def _ends(self, edit: Edit, outside: int, *, harmless: bool) -> Iterable[str]:
        if self._language.newline_ends:
            return unended(edit, outside)
        return continuations(edit, outside, harmless=harmless)

    def _fits_otherwise(self, edit: Edit, region: Region) -> bool:
        """Does it, once macros in the region are read as something else?"""
        return any(
            self._fits(edit, replace(region, above=above), most=_FEW)
            for above in islice(readings(region.above, self._language.macros), 1, None)
        )

    def _sound(self, edit: Edit, region: Region) -> Region | None:
        """The region, as it parses without the text's line."""
        others = [self._other(edit, "", text, "") for text in self._language.lines]
        for above in readings(region.above, self._language.macros):
            read = replace(region, above=above)
            if self._fits(others[0], read, harmless=True, most=_FEW):
                return read
            if any(self._fits(other, read, harmless=True, most=1) for other in others[1:]):
                return read
            del others[1:]
        return None

    def _left_is_sound(self, edit: Edit, region: Region) -> bool:
        """Could the line have become something else in the text's place?"""
        if not edit.left.strip() and not edit.right.strip():
            return True
        unquoted = self._other(edit, edit.left, "", "").unquoted
        for text in self._language.placeholders:
            other = self._other(edit, edit.left, unquoted + text, edit.right)
            if self._fits(other, region, harmless=True, most=_FEW):
                return True
        return False

    def _other(self, edit: Edit, left: str, text: str, right: str) -> Edit:
        """Another text on the same line."""
        insertion = Insertion("\n" * edit.row + left, text, right)
        return Edit(self._lexer, self._frame, insertion)


def _invalid(fault: Fault) -> Verdict:
    return Verdict(Outcome.INVALID, f"line {fault.line}: {fault.message}")
