"""Line ends, as a hole has them."""

from synconfroute.server.completion.hole import Hole


def with_line_feeds(hole: Hole, text: str) -> str:
    """Make all line ends line feeds: the document's own come back when the text is inserted."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
