"""A place in a text, as people count."""

from dataclasses import dataclass

from synconfroute.errors import DocumentError


@dataclass(frozen=True, slots=True)
class Position:
    """1-based line and column, in characters. The column after the last character is allowed."""

    line: int
    column: int


def offset_of(position: Position, text: str, name: str) -> int:
    r"""Characters before the position in `text`, whose lines end with "\n".

    Raises:
        DocumentError: the text has no such place; `name` names it in the sentence.
    """
    start = 0
    for passed in range(1, position.line):
        end = text.find("\n", start)
        if end < 0:
            raise DocumentError(
                f"Line {position.line} is past the end of {name}, which has {passed}"
                f" line{'s' * (passed > 1)}."
            )
        start = end + 1
    end = text.find("\n", start)
    length = (len(text) if end < 0 else end) - start
    if position.column > length + 1:
        raise DocumentError(
            f"Column {position.column} is past the end of line {position.line} of {name}, which"
            f" has {length} character{'s' * (length != 1)}."
        )
    return start + position.column - 1
