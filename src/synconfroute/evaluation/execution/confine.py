"""Becomes a program that is refused system calls. Given to the interpreter as text (Linux).

Arguments: the filter in hexadecimal, and the command. For machines without bubblewrap, which
installs the filter itself.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
NOT_CONFINED = 71
"""The exit code where the kernel does not take the filter."""


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def _main() -> None:
    steps = bytes.fromhex(sys.argv[1])
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    program = _Program(len(steps) // 8, steps)
    if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0
    ):
        sys.exit(NOT_CONFINED)
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606  no shell is what is wanted


if __name__ == "__main__":
    _main()
