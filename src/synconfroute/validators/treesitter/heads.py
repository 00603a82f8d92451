"""What may follow a head of a declaration, of which only the beginning is there."""

from collections.abc import Iterable, Iterator, Sequence

from synconfroute.validators.treesitter.continuations import closed, inwards
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.tokens import Line, Token

_FAR = 25
"""How many lines a head is followed back."""

_CLOSERS = {"<": ">", "(": ")", "[": "]", "{": "}"}
_OPERANDS = ("", "x", "x = x")
_PARAMETERS = (" x x", " x: x", " x", " $x")
"""What may stand behind the annotation of a parameter."""

_BEFORE_VALUES = frozenset({"=", "(", ",", "["})
_BEHIND_VALUES = frozenset({")", ",", "]", "}"})
_DECLARED = (" class A {}", " void f() {}", " f() {}", " x;", " x x;")
"""What an annotation, or a list of types, may stand before."""

_NAMED = (" f() {}", " x;")
"""What ends a declaration of which its type is there."""

_BODIES = (" {}", " {};", " x {}")
"""What ends the head of a type."""


class Head:
    """The statement that a text ends in, as far as it may be a head.

    Attributes:
        opened: the brackets open in it, with those of lists of types, from the outside in.
        outer: the words and signs outside of all its brackets.
        annotates: it ends in an annotation.
        argues: it ends in the arguments of an annotation.
        last: its last token.
    """

    def __init__(self, edit: Edit) -> None:
        self.opened: list[str] = []
        self.outer: list[str] = []
        tokens = list(_tokens(edit))
        self.last = tokens[-1] if tokens else None
        self.annotates = False
        argued: list[bool] = []
        for at, token in enumerate(tokens):
            ahead = [each.text for each in tokens[max(0, at - 2) : at]]
            if token.text in _CLOSERS:
                self.opened.append(token.text)
                argued.append(ahead[:1] == ["@"])
                self.annotates = False
            elif token.text in _CLOSERS.values() and self.opened:
                self._close(token.text, argued)
            else:
                self.annotates = ahead[1:] == ["@"] or (self.annotates and token.text == ".")
                if not self.opened:
                    self.outer.append(token.text)
        self.annotates = self.annotates or _is_attribute(edit)
        self.argues = any(argued)

    def _close(self, closer: str, argued: list[bool]) -> None:
        """Lists of types that are still open in other brackets were comparisons."""
        while self.opened:
            opener, self.annotates = self.opened.pop(), argued.pop()
            if _CLOSERS[opener] == closer:
                return


def behind_head(edit: Edit, outside: int) -> Iterator[str]:
    """Each closes all that is open but what a region leaves out; nothing behind other statements.

    Args:
        edit: the text in its buffer.
        outside: brackets open around the region.
    """
    if not edit.language.types or edit.unquoted or edit.in_comment:
        return
    head = Head(edit)
    own = sum(opener != "<" for opener in head.opened)
    closers = "".join(_CLOSERS[opener] for opener in reversed(head.opened))
    blocks = closed(edit, list(inwards(edit.opened_right, outside))[own:], "")
    for tail in _tails(edit, head):
        for operand in _operands(head):
            yield f"\n{operand}{closers}{tail}{blocks}"


def _operands(head: Head) -> Iterable[str]:
    if (head.annotates or head.argues) and head.opened:
        return (*_OPERANDS, *_PARAMETERS)
    return _OPERANDS[:2]


def _tails(edit: Edit, head: Head) -> Sequence[str]:
    """What may stand behind the outermost bracket that is open in a head; nothing if it is none."""
    last = head.last
    if last is None or (last.text in {";", "{", "}"} and not head.opened):
        return ()
    if head.opened and not _goes_on(edit, head):
        return ()
    if not edit.language.types.isdisjoint(head.outer):
        return _BODIES
    if head.annotates or head.argues:
        return (*_DECLARED, *_BODIES) if head.opened else _DECLARED
    if last.text == ">" or "<" in head.opened:
        return (*_DECLARED, ";")
    if last.kind == "word" and not edit.language.openers.isdisjoint(head.outer):
        return _NAMED
    return ()


def _is_attribute(edit: Edit) -> bool:
    """Is the last line one in brackets, as `#[a]`, `[a]` and `[[a]]` are?"""
    tokens = edit.lines[-1].tokens
    return bool(tokens) and tokens[-1].text == "]" and tokens[0].text in {"#", "[", "#["}


def _goes_on(edit: Edit, head: Head) -> bool:
    """May a line end here, within brackets of a head?"""
    if head.annotates or head.opened[-1] == "{":
        return True
    if head.last is not None and head.last.kind in {"sign", "open"} and head.last.text != ">":
        return True
    if head.opened[-1] == "<":
        own = [token.text for line in edit.lines for token in line.tokens]
        return own.count("<") <= own.count(">")
    inside = edit.opened_right
    return inside is not None and inside.line < edit.row


def _tokens(edit: Edit) -> Iterator[Token]:
    """The tokens of the statement, up to the text's end."""
    found: list[Token] = []
    depth = 0
    for line in _lines(edit):
        for token in reversed(line.tokens):
            value = found[-1].text in _BEHIND_VALUES if found else edit.ends_value
            if token.kind == "close" and (token.text != "}" or value):
                depth += 1
            elif token.kind == "open" and (
                depth or token.text != "{" or token.behind in _BEFORE_VALUES
            ):
                depth = max(0, depth - 1)
            elif token.text in {";", "{", "}"}:
                return reversed(found)
            found.append(token)
        if len(line.tokens) == 2 and line.tokens[1].text == ":":
            break
    return reversed(found)


def _lines(edit: Edit) -> Iterator[Line]:
    """From the text's last line upwards."""
    yield from reversed(edit.lines)
    for row in range(edit.row - 1, max(-1, edit.row - _FAR), -1):
        if edit.frame.modes[row]:
            return
        yield edit.frame.lines[row]
