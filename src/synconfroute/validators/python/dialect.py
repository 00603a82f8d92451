"""Newer Python and notebook cells, rewritten so that the running interpreter reads them.

Each rewriting keeps the lines where they are. It is tried only where the text as it stands does
not parse, so that it need not be exact: it must not reject what a newer interpreter takes.
"""

import re
import sys

_MAGIC = re.compile(
    r"^([ \t]*)(?:%{1,2}[A-Za-z_]|!{1,2}\s*[\w./~$\"'-]|\?{1,2}\w).*$", re.MULTILINE
)
_SHELL_VALUE = re.compile(r"^([ \t]*[\w.,\[\] ]+=[ \t]*)(?:![^=\n]|%[A-Za-z_]).*$", re.MULTILINE)
_HELP = re.compile(r"^([ \t]*)[\w.*]+\?{1,2}[ \t]*$", re.MULTILINE)
_BRACKETS = r"\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]"
_TYPE = re.compile(rf"^([ \t]*)type[ \t]+(\w+)(?:{_BRACKETS})?([ \t]*=)", re.MULTILINE)
_GENERIC = re.compile(rf"^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+){_BRACKETS}", re.MULTILINE)
_EXCEPT = re.compile(r"^([ \t]*except\*?[ \t]+)([\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)([ \t]*:)", re.M)
_LAZY = re.compile(r"^([ \t]*)lazy[ \t]+(import|from)\b", re.MULTILINE)
_FORMATTED = re.compile(r"\b(?:[fFtT][rR]?|[rR][fFtT])(\"{3}|'{3}|\"|')")
_QUOTE = re.compile(r"[rRbBuUfFtT]{0,2}(\"{3}|'{3}|\"|')")
_CELL = re.compile(r"\s*%%(?!time|timeit|capture|prun|debug|px\b)[A-Za-z_]")


def other_language(text: str) -> bool:
    """Is this the beginning of a notebook cell in another language?"""
    return _CELL.match(text) is not None


def translated(text: str) -> str:
    """The text in the syntax of the running interpreter, as far as it differs."""
    if "%" in text or "!" in text:
        text = _SHELL_VALUE.sub(r"\g<1>0", _MAGIC.sub(r"\1pass", text))
    if "?" in text:
        text = _HELP.sub(r"\1pass", text)
    if sys.version_info < (3, 12):
        text = _formatted(text)
        text = _TYPE.sub(r"\1\2\4", text) if "type" in text else text
        text = _GENERIC.sub(_plain, text) if "[" in text else text
    if sys.version_info < (3, 14) and "except" in text:
        text = _EXCEPT.sub(r"\1(\2)\3", text)
    return _LAZY.sub(r"\1\2", text) if "lazy" in text else text


def _plain(found: re.Match[str]) -> str:
    """A definition without its type parameters, on as many lines."""
    return found[1] + "\\\n" * found[2].count("\n")


def _formatted(text: str) -> str:
    """The text with each f-string and t-string as a plain string."""
    parts = []
    at = 0
    while (found := _FORMATTED.search(text, at)) is not None:
        end = _end_of_formatted(text, found.end(), found[1])
        if end is None:
            parts.append(text[at : found.end()])
            at = found.end()
            continue
        lines = text.count("\n", found.start(), end)
        parts.append(f"{text[at : found.start()]}{found[1]}x{_breaks(lines, found[1])}{found[1]}")
        at = end
    return "".join(parts) + text[at:]


def _breaks(count: int, quotes: str) -> str:
    return ("\n" if len(quotes) == 3 else "\\\n") * count


def _end_of_formatted(text: str, at: int, quotes: str) -> int | None:
    """Where a formatted string ends whose text begins here; None if it does not end."""
    while at < len(text):
        character = text[at]
        if text.startswith(quotes, at):
            return at + len(quotes)
        if character == "\\" or text.startswith(("{{", "}}"), at):
            at += 2
        elif character == "}":
            return None
        elif character == "{":
            field = _end_of_field(text, at + 1)
            if field is None:
                return None
            at = field
        elif character == "\n" and len(quotes) == 1:
            return None
        else:
            at += 1
    return None


def _end_of_field(text: str, at: int) -> int | None:
    """Where the replacement field ends that begins here; None if it does not end."""
    depth = 1
    while at < len(text):
        character = text[at]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        elif (quote := _QUOTE.match(text, at)) is not None:
            end = _end_of_formatted(text, quote.end(), quote[1])
            if end is None:
                return None
            at = end
            continue
        at += 1
    return None
