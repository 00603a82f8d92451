"""Messages out of a stream of bytes (LSP, "Base Protocol")."""

import re
from collections.abc import Iterator

LONGEST_HEADER = 8 * 1024
LONGEST_MESSAGE = 512 * 1024 * 1024

_KEPT = 128
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n)", re.IGNORECASE)


class Frames:
    """Cuts a stream into message bodies, whatever the borders of the pieces.

    Damage never stops it: a header without a length is skipped, bytes that hold no header are
    dropped up to the last few that may begin one, a message that is too long is passed over
    without being kept.

    Attributes:
        damaged: how many headers or messages were skipped.
    """

    def __init__(self, longest: int = LONGEST_MESSAGE) -> None:
        """`longest`: longer messages are passed over, in bytes."""
        self.damaged = 0
        self._longest = longest
        self._buffer = bytearray()
        self._length: int | None = None
        self._skip = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Take the next bytes; yield each message body that they complete."""
        self._buffer += piece
        while True:
            self._pass_over()
            if self._length is None and not self._read_header():
                return
            if self._length is not None and len(self._buffer) < self._length:
                return
            if self._length is not None:
                body = bytes(self._buffer[: self._length])
                del self._buffer[: self._length]
                self._length = None
                yield body

    def _pass_over(self) -> None:
        gone = min(self._skip, len(self._buffer))
        del self._buffer[:gone]
        self._skip -= gone

    def _read_header(self) -> bool:
        """Read one header off the buffer. False if it is not all there yet."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > LONGEST_HEADER:
                self.damaged += 1
                del self._buffer[:-_KEPT]
            return False
        # The last one, wherever it stands: after a wrong length the rest of a body comes first.
        # A body holds no line break that is not escaped, so none in it is taken for a header.
        lengths = _LENGTH.findall(self._buffer, 0, end + 2)
        del self._buffer[: end + 4]
        length = int(lengths[-1]) if lengths else None
        if length is None:
            self.damaged += 1
        elif length > self._longest:
            self.damaged += 1
            self._skip = length
        else:
            self._length = length
        return True
