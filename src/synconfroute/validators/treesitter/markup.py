"""Elements of markup among code, as in JSX."""

import re

from synconfroute.validators.treesitter.tokens import TAG, Frame

_ELEMENT = re.compile(
    r"<(?![\w.]+(?:,|\s+extends\b|>\s*\(|\s*=))"  # the parameters of a generic function
    r"(?:(?P<name>[A-Za-z_$][\w$.:-]*)(?:<(?:[^<>()]|<[^<>]*>)*>)?(?=[\s/>{]|$)|(?=>))"
)
IN_TAG = re.compile(
    r"(?P<space>\s+|//.*|/\*.*?\*/)|(?P<quick>/>)|(?P<end>>)|(?P<hole>\{)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')|(?P<word>[\w$.:-]+)|(?P<sign>.)"
)
"""What stands in a tag; "quick" ends an element without children."""

IN_CHILDREN = re.compile(
    r"(?P<space>\s+)|(?P<hole>\{)|(?P<end></[^<>{}]*>?)|(?P<element><(?=[\w$>]))"
    r"|(?P<text>(?:[^<{]|<(?![/\w$>]))+)"
)
"""What stands between the tags of an element."""


def element(text: str, column: int) -> tuple[int, Frame] | None:
    """Where the name ends of the element that begins at a column, and what it opens; or None."""
    found = _ELEMENT.match(text, column)
    return (found.end(), Frame(TAG, f"</{found['name'] or ''}>")) if found else None
