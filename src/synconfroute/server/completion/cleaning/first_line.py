"""One line at a time."""

from synconfroute.server.completion.hole import Hole


def line_end(text: str) -> int:
    """Where the line break after the first visible text stands, or -1 while there is none."""
    visible = len(text) - len(text.lstrip())
    return text.find("\n", visible) if visible < len(text) else -1


def first_line(hole: Hole, text: str) -> str:
    """Cut behind the first line that has visible text.

    Behind code the answer may begin with a line break, since the line may be complete; but not
    where more than closing brackets follows on the line: that would tear it apart.
    """
    end = line_end(text)
    text = text if end < 0 else text[:end]
    begins_new_line = "\n" in text[: len(text) - len(text.lstrip())]
    if begins_new_line and hole.right.strip(" \t)]}'\";,:"):
        return ""
    return text
