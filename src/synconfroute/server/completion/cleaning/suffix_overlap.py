"""Text that already stands right of the cursor."""

from synconfroute.server.completion.hole import Hole

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())


def without_suffix_overlap(hole: Hole, text: str) -> str:
    """Drop the end of the text that repeats what follows the cursor on its line.

    Closing brackets are dropped only as far as the text does not open them itself, so that
    `call(|)` completed with `f(x)` keeps its bracket and with `x)` loses it.
    """
    right = hole.right.strip()
    if not right or not text:
        return text
    last = text.rstrip()
    if not set(right) <= _CLOSERS | set(";,: "):
        for standing in (hole.right.rstrip(), right):
            if len(right) > 1 and last.endswith(standing):
                return last[: -len(standing)]
    for length in range(min(len(right), len(last)), 0, -1):
        tail = last[-length:]
        if right.startswith(tail) and _closes_too_much(last, tail):
            return last[:-length]
    return text


def _closes_too_much(text: str, tail: str) -> bool:
    """True if `tail` is closers that nothing in the text opens, or a separator behind them."""
    if not set(tail) <= _CLOSERS | set(";,: "):
        return False
    surplus = unopened(text)
    closers = sum(character in _CLOSERS for character in tail)
    return closers <= surplus if closers else tail in {";", ",", ":"}


def unopened(text: str) -> int:
    """How many closing brackets of the text, outside strings, close nothing that it opens."""
    stack: list[str] = []
    surplus = 0
    quote = ""
    escaped = False
    for character in text:
        if quote:
            if not escaped and character == quote:
                quote = ""
            escaped = character == "\\" and not escaped
        elif character in "\"'":
            quote = character
        elif character in _OPENERS:
            stack.append(_OPENERS[character])
        elif character in _CLOSERS:
            if stack and stack[-1] == character:
                stack.pop()
            else:
                surplus += 1
    return surplus
