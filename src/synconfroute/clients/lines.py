"""Bytes that arrive in arbitrary pieces, cut into lines."""

LONGEST_LINE = 4 * 1024 * 1024


class HalfLine(bytes):
    """What stands after the last line feed."""


class LineTooLong(ValueError):
    """A line exceeds what any model server sends."""


class LineSplitter:
    """Cuts a stream of bytes at line feeds, and nowhere else.

    `str.splitlines` would also cut at U+2028, U+0085 and other characters that stand unescaped
    inside JSON strings. Bytes are not decoded here, so a character cut in two stays whole.
    """

    def __init__(self, limit: int = LONGEST_LINE) -> None:
        """Lines may be up to `limit` bytes long."""
        self._limit = limit
        self._begun = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without their line ends.

        Raises:
            LineTooLong: a line is longer than the limit.
        """
        *complete, rest = data.split(b"\n")
        lines = []
        for piece in complete:
            self._extend(piece)
            lines.append(bytes(self._begun).removesuffix(b"\r"))
            self._begun.clear()
        self._extend(rest)
        return lines

    def rest(self) -> bytes:
        """What stands after the last line feed."""
        return bytes(self._begun)

    def _extend(self, piece: bytes) -> None:
        if len(self._begun) + len(piece) > self._limit:
            raise LineTooLong
        self._begun += piece
