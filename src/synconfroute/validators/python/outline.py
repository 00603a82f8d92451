"""The few lines around a place that decide what may stand there, each as the shortest of its kind.

Of the lines above: the headers that the place is under, and the line before it. Of those below:
the first, and each that goes back to a lower indentation. The sound lines between them change
nothing, and neither does what a header says.
"""

import re
from dataclasses import dataclass

from synconfroute.validators.python.lexing import Lines, code_end

_WORD = re.compile(r"[ \t\f]*+(?:async[ \t]+)?(@|[A-Za-z_]\w*)?")
SHORTEST = {
    "if": "if x:",
    "elif": "elif x:",
    "else": "else:",
    "for": "for x in x:",
    "while": "while x:",
    "try": "try:",
    "except": "except x:",
    "finally": "finally:",
    "with": "with x:",
    "def": "def x():",
    "class": "class x:",
    "match": "match x:",
    "case": "case x:",
}
_CLAUSES = frozenset({"elif", "else", "except", "finally", "case"})
_CONTINUED = frozenset({"if", "for", "while", "try", "match"}) | _CLAUSES
"""What a clause at the same indentation may go on with."""
_NOWHERE = 1 << 30


@dataclass(frozen=True, slots=True)
class Item:
    """One logical line in outline.

    Attributes:
        indent: how far it is indented, in columns.
        white: the white space that it begins with.
        word: what it begins with, past `async`; "@" for a decorator, "" for neither.
        text: the line in short, with its line break, and with a body where that is known.
        bare: is it a header or decorator, and nothing under it yet?
    """

    indent: int
    white: str
    word: str
    text: str
    bare: bool = False


def first_word(text: str, start: int = 0) -> str:
    """The word that a logical line begins with, past `async`; "@" for a decorator, "" for none."""
    found = _WORD.match(text, start)
    return (found and found[1]) or ""


def is_header(word: str) -> bool:
    """Does a logical line that begins with this word end in a colon?"""
    return word in SHORTEST and word not in ("match", "case")


def ends_as_header(text: str, start: int, end: int) -> bool:
    """Does a logical line end in the colon that a block stands under?"""
    return text[start : code_end(text, start, end)].endswith(":")


def above(text: str, lines: Lines, index: int) -> list[Item]:
    """What the logical line of this number stands under, the outermost first."""
    items: list[Item] = []
    level = _NOWHERE
    clause = False
    for at in range(index - 1, -1, -1):
        indent = lines.indents[at]
        if indent > level or (indent == level and not clause):
            continue
        word = first_word(text, lines.starts[at])
        white = _white(text, lines.starts[at])
        if level == _NOWHERE:
            end = lines.starts[index] if index < len(lines.starts) else len(text)
            short = _last(text, lines.starts[at], end, word)
            items.append(Item(indent, white, word, white + short, short.endswith((":\n", "@x\n"))))
        elif word not in SHORTEST:
            items.append(Item(indent, white, "if", f"{white}if x:\n"))
        else:
            body = "" if indent < level else f"{white} pass\n"
            items.append(Item(indent, white, word, f"{white}{SHORTEST[word]}\n{body}"))
        level, clause = indent, word in _CLAUSES
        if level == 0 and not clause:
            break
    items.reverse()
    return items


def _last(text: str, start: int, end: int, word: str) -> str:
    """The line right above the place: it may be a header or a decorator, or have a clause."""
    if word == "@":
        return "@x\n"
    if word not in SHORTEST:
        return "pass\n"
    header = ends_as_header(text, start, end)
    if word in ("match", "case") and not header:
        return "pass\n"
    return SHORTEST[word] + ("\n" if header else " pass\n")


def floor_of(items: list[Item]) -> int:
    """The lowest indentation at which a clause may go on with one of these."""
    return min((item.indent for item in items if item.word in _CONTINUED), default=_NOWHERE)


def below(text: str, lines: Lines, index: int, floor: int) -> list[Item]:
    """The logical line of this number, and those below it that go back, down to a `floor`."""
    items: list[Item] = []
    level = _NOWHERE
    for at in range(index, len(lines.starts)):
        indent = lines.indents[at]
        if indent >= level:
            continue
        level = indent
        white = _white(text, lines.starts[at])
        word = first_word(text, lines.starts[at])
        if word in ("else", "elif", "except", "finally") or (word == "case" and _opens(lines, at)):
            items.append(Item(indent, white, word, f"{white}{SHORTEST[word]}\n{white} pass\n"))
        else:
            short = "def x(): pass" if word in ("def", "class", "@") else "pass"
            items.append(Item(indent, white, "", f"{white}{short}\n"))
        if level <= floor or level == 0:
            break
    return items


def _opens(lines: Lines, at: int) -> bool:
    """Is the line below this one deeper?"""
    return at + 1 < len(lines.indents) and lines.indents[at + 1] > lines.indents[at]


def _white(text: str, start: int) -> str:
    at = start
    while at < len(text) and text[at] in " \t\f":
        at += 1
    return text[start:at]
