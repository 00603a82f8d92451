"""Pyflakes finds fault with the file."""

import ast
import warnings
from collections.abc import Sequence

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.gates.gate import Gate, gate


def lint(examples: Sequence[Example]) -> Gate:
    """Flag Python answers with a message at their line or below; a file that does not parse is one.

    What stands above was there before; other languages are never flagged.
    """
    return gate("lint", examples, [_flagged(example.sight) for example in examples])


def _flagged(sight: Sight) -> bool:
    from pyflakes.checker import Checker

    if sight.language != "python":
        return False
    source = f"{sight.prefix}{sight.text}{sight.suffix}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            messages = Checker(ast.parse(source)).messages
    except (SyntaxError, ValueError, RecursionError):
        return True
    first = sight.prefix.count("\n") + 1
    return any(message.lineno >= first for message in messages)
