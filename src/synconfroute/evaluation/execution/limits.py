"""What a program may take."""

from dataclasses import dataclass, replace

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take; then it is killed, with all that it started.

    Attributes:
        cpu: seconds of processor time (POSIX): the same on an idle and on a busy machine.
        wall: seconds on the clock, for what sleeps.
        memory: bytes of address space (Linux).
        output: bytes that it may print, stdout and stderr each.
        file: bytes of a file that it writes (POSIX).
        disk: bytes of all its files together (bubblewrap).
        stack: bytes of the stack of the first thread (POSIX), 0 for the system's.
    """

    cpu: float = 5.0
    wall: float = 15.0
    memory: int = 2048 * MEBIBYTE
    output: int = 4 * MEBIBYTE
    file: int = 16 * MEBIBYTE
    disk: int = 64 * MEBIBYTE
    stack: int = 0


def within(seconds: float) -> Limits:
    """Limits with so much processor time, and thrice as much on the clock."""
    return replace(Limits(), cpu=seconds, wall=3 * seconds)


COMPILING = Limits(cpu=60, wall=180, memory=8192 * MEBIBYTE, file=64 * MEBIBYTE)
"""A Java machine reserves far more address space than it uses."""
