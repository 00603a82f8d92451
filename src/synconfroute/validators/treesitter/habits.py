"""How people break lines in one buffer: what is usual there is no sign of damage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.tokens import Line


@dataclass(frozen=True, slots=True)
class Habits:
    """What is usual in a buffer.

    Attributes:
        chains: lines begin with a call on the line above.
        receivers: lines begin with a call on a name at the end of the line above.
        broken: for each operator, or word that goes on, that lines begin with: the length, in
            columns, from which on the lines above them end with an operand.
        braces: lines begin with the brace that opens a block.
        crammed: braces close blocks behind a statement.
        empty: lines end with an empty block.
        types: lines end with a type whose name follows in the next line.
    """

    chains: bool
    receivers: bool
    broken: Mapping[str, int]
    braces: bool
    crammed: bool
    empty: bool
    types: bool


_IN_TYPES = frozenset({"<", ">", ",", "*", "&", "&&", "::"})
_COUNTED = ("chains", "receivers", "braces", "types", "ends", "crammed", "empty", "code")
_ENOUGH = 5
_RARE = 0.002
"""What fewer lines do than this share of a buffer is not usual."""


def habits(lines: Sequence[Line], language: Language) -> Habits:
    """Read them off a buffer's lines."""
    counts = dict.fromkeys(_COUNTED, 0)
    lengths: dict[str, list[int]] = {}
    above: Line | None = None
    for line in lines:
        if not line.tokens:
            continue
        counts["code"] += 1
        counts["ends"] += line.tokens[-1].text == "{"
        counts["empty"] += [token.text for token in line.tokens[-2:]] == ["{", "}"]
        counts["crammed"] += _crams(line)
        width = above.tokens[-1].end if above is not None else 0
        kind = _link(above, line, language) if above is not None else ""
        if kind == "goes_on":
            lengths.setdefault(line.tokens[0].text, []).append(width)
        elif kind:
            counts[kind] += 1
            counts["receivers"] += kind == "chains" and _ends_in_name(above)
        above = line
    rare = int(_RARE * counts["code"])
    return Habits(
        chains=counts["chains"] > rare,
        receivers=counts["receivers"] > rare,
        broken={sign: sorted(each)[rare] for sign, each in lengths.items() if len(each) > rare},
        braces=counts["braces"] > 0 or counts["ends"] < _ENOUGH,
        crammed=language.crammed or counts["crammed"] > rare,
        empty=counts["empty"] > rare,
        types=counts["types"] > rare,
    )


def _link(above: Line, line: Line, language: Language) -> str:
    """How a line is tied to the one above it."""
    first = line.tokens[0]
    if first.text in language.chains:
        return "chains"
    if first.text == "{":
        return "braces"
    if operand(above, language):
        if goes_on(line, language):
            return "goes_on"
        if first.kind == "word" and is_type(above):
            return "types"
    return ""


def _ends_in_name(line: Line | None) -> bool:
    return line is not None and line.tokens[-1].kind == "word"


def _crams(line: Line) -> bool:
    """Does a brace close a block of lines above behind a statement?"""
    return any(
        each.text == "}" and not each.lead and each.behind in {";", "}"} for each in line.brackets
    )


def operand(line: Line, language: Language) -> bool:
    """Does a line end with an operand?"""
    last = line.tokens[-1]
    if last.kind == "sign":
        return last.text in language.postfix
    return last.kind in {"word", "text"} or last.text in {")", "]"}


def is_type(line: Line) -> bool:
    """May a line be a type, whose name follows below?"""
    return line.tokens[-1].kind == "word" and all(
        token.text in _IN_TYPES or (token.kind == "word" and token.text not in {"return", "throw"})
        for token in line.tokens
    )


def goes_on(line: Line, language: Language) -> bool:
    """Does a line go on with the expression above it?"""
    first = line.tokens[0]
    if first.kind == "word":
        return first.text in language.followers
    return first.kind == "sign" and first.text not in language.starters and first.text != ";"
