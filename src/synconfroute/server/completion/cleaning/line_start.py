"""Line breaks and indentation that a model writes although they stand before the cursor."""

from synconfroute.server.completion.hole import Hole


def without_line_start(hole: Hole, text: str) -> str:
    """On a blank line, drop the line breaks before the first visible text.

    A line that the model began anew carries its whole indentation; what of it stands before the
    cursor already is dropped, so that the level stays what the model meant.
    """
    if hole.left.strip() or not text.strip():
        return text
    blank = text[: len(text) - len(text.lstrip())]
    if "\n" not in blank:
        return text
    text = text[blank.rindex("\n") + 1 :]
    return text.removeprefix(hole.left)
