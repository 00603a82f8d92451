"""Files of a workspace, read so that none can keep the server waiting or lead it elsewhere."""

import os
import stat


def read_text(file: str, most_bytes: int) -> str | None:
    """A regular file's text with line feeds as line ends, never waiting for a pipe.

    None where there is none, it is longer, or it is not UTF-8 text.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(file, flags)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(descriptor)
        regular = stat.S_ISREG(found.st_mode) and found.st_size <= most_bytes
        data = _all(descriptor, most_bytes + 1) if regular else b"\0"
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if len(data) > most_bytes or b"\0" in data:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _all(descriptor: int, most: int) -> bytes:
    """What can be read, so many bytes at most."""
    pieces = []
    while most and (piece := os.read(descriptor, most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)
