"""The few lines around a place that decide what may stand there, each as the shortest of its kind.

Of the lines above: the headers that the place is under, and the line before it. Of those below:
the first, and each that goes back to a lower indentation. The sound lines between them change
nothing, and neither does what a header says.
"""

import re
from dataclasses import dataclass, replace

from synconfroute.validators.python.lexing import code_end, tokens
from synconfroute.validators.python.lines import Lines

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
    code = text[start:end].rstrip()
    if ":" in code and ("\n" in code or "#" in code):
        code = text[start : code_end(text, start, end)]
    return code.endswith(":")


def above(text: str, lines: Lines, index: int) -> list[Item]:
    """What the logical line of this number stands under, the outermost first."""
    items: list[Item] = []
    level = _NOWHERE
    clause = False
    for at in range(index - 1, -1, -1):
        indent = lines.indents[at]
        if indent > level or (indent == level and not clause):
            continue
        if clause and indent < level:
            items[-1] = _alone(items[-1])
        items.append(_item_above(text, lines, at, index, sibling=indent == level))
        level, clause = indent, items[-1].word in _CLAUSES
        if level == 0 and not clause:
            break
    if clause:
        items[-1] = _alone(items[-1])
    if items and items[-1].indent > 0:
        items.append(Item(0, "", "if", "if x:\n"))
    items.reverse()
    return items


def _item_above(text: str, lines: Lines, at: int, index: int, *, sibling: bool) -> Item:
    """A line above the logical line of number `index`; a sibling has had its body."""
    start = lines.starts[at]
    word, white = first_word(text, start), _white(text, start)
    if at == index - 1:
        end = lines.starts[index] if index < len(lines.starts) else len(text)
        short = _last(text, start, end, word)
        return Item(lines.indents[at], white, word, white + short, short.endswith((":\n", "@x\n")))
    if word not in SHORTEST:
        word = "if"
    body = f"{white} pass\n" if sibling else ""
    return Item(lines.indents[at], white, word, f"{white}{SHORTEST[word]}\n{body}")


def _alone(item: Item) -> Item:
    """A clause that goes on with nothing, since the buffer is broken, as a statement."""
    if item.word == "case":
        return item
    return replace(item, word="if", text=item.text.replace(SHORTEST[item.word], SHORTEST["if"]))


def _last(text: str, start: int, end: int, word: str) -> str:
    """The line right above the place: it may be a header or a decorator, or have a clause."""
    if word == "@":
        return "@x\n"
    if word not in SHORTEST:
        return "pass\n"
    if word in ("match", "case") and not ends_as_header(text, start, end):
        return "pass\n"
    return SHORTEST[word] + (" pass\n" if _has_body(text, start, end) else "\n")


def _has_body(text: str, start: int, end: int) -> bool:
    """Does anything follow the colon on a header's own line? If there is no colon, nothing does."""
    if ends_as_header(text, start, end):
        return False
    end = code_end(text, start, end)
    depth = 0
    at = start
    for token in tokens(text, start, end):
        if depth == 0 and ":" in text[at : token.start]:
            return True
        depth += (token.kind in "([{") - (token.kind in ")]}")
        at = token.end
    return depth == 0 and ":" in text[at:end]


def levels(lines: Lines, index: int, after: int) -> frozenset[int]:
    """How the lines around a hole are indented.

    Args:
        lines: those of the text.
        index: the number of the hole's; up to the last one above that is not indented all count.
        after: the number of the first one below, which counts too.
    """
    found = set(lines.indents[after : after + 1])
    for at in range(index - 1, -1, -1):
        found.add(lines.indents[at])
        if lines.indents[at] == 0:
            break
    return frozenset(found)


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
