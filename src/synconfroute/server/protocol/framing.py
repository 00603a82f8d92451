"""Messages out of a stream of bytes (LSP, "Base Protocol")."""

import re
from collections.abc import Iterator

LONGEST_HEADER = 8 * 1024
LONGEST_MESSAGE = 512 * 1024 * 1024

_KEPT = 128
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n)", re.IGNORECASE)
_BEGUN = re.compile(
    rb"c(o(n(t(e(n(t(-(l(e(n(g(t(h(:[ \t]*\d{0,18}[ \t]*\r?)?)?)?)?)?)?)?)?)?)?)?)?)?)?\Z",
    re.IGNORECASE,
)
"""A header that is cut off. No JSON object ends like that."""


class Frames:
    """Cuts a stream into message bodies, whatever the borders of the pieces.

    Damage never stops it, and costs no other message: a header without a length is skipped, bytes
    that hold no header are dropped up to the last few that may begin one, a message that is too
    long is passed over without being kept. In JSON a line never ends unescaped inside a string, so
    a header inside a body means that the body's length was wrong: the header counts.

    Attributes:
        damaged: how many headers or messages were skipped.
    """

    def __init__(self, longest: int = LONGEST_MESSAGE) -> None:
        """`longest`: longer messages are passed over, in bytes."""
        self.damaged = 0
        self._longest = longest
        self._buffer = bytearray()
        self._length: int | None = None
        self._kept = True
        self._seen = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Take the next bytes; yield each message body that they complete."""
        self._buffer += piece
        while self._length is not None or self._read_header():
            if self._length is None:
                continue
            end = self._end_of_body(self._length)
            if end is None:
                self._pass_over(self._length)
                return
            body = bytes(self._buffer[:end])
            del self._buffer[:end]
            self._length = None
            if self._kept:
                yield body

    def _end_of_body(self, length: int) -> int | None:
        """Where the body ends, at a header inside it if there is one; None: not yet."""
        begins = self._header_inside(length)
        if begins is not None:
            self.damaged += 1
            return begins
        if len(self._buffer) < length:
            return None
        begun = _BEGUN.search(self._buffer, max(0, length - _KEPT), length)
        return length if begun is None else begun.start()

    def _header_inside(self, length: int) -> int | None:
        """Where a header begins inside the body. Looks at no byte much oftener than once."""
        known = max(0, self._seen - _KEPT)
        self._seen = min(len(self._buffer), length)
        if self._buffer.find(b"\r\n", known, length + _KEPT) < 0:
            return None
        found = _LENGTH.search(self._buffer, known, length + _KEPT)
        return found.start() if found is not None and found.start() < length else None

    def _pass_over(self, length: int) -> None:
        """Drop what came of a body that is too long to be kept, but what may begin a header."""
        if not self._kept:
            gone = max(0, len(self._buffer) - _KEPT)
            del self._buffer[:gone]
            self._length = length - gone
            self._seen = 0

    def _read_header(self) -> bool:
        """Read one header off the buffer. False if it is not all there yet."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > LONGEST_HEADER:
                self.damaged += 1
                del self._buffer[:-_KEPT]
            return False
        # The last one, wherever it stands: after a wrong length the rest of a body comes first.
        lengths = _LENGTH.findall(self._buffer, 0, end + 2)
        del self._buffer[: end + 4]
        self._length = int(lengths[-1]) if lengths else None
        self._kept = self._length is None or self._length <= self._longest
        self._seen = 0
        if self._length is None or not self._kept:
            self.damaged += 1
        return True
