"""The system calls that a program under test is refused (Linux): a filter for the kernel.

No answer to a task needs another process, a signal to one, or a socket. Classic BPF as in the
kernel's Documentation/userspace-api/seccomp_filter.rst; numbers from its tables of system calls.
"""

import platform
import struct

_KILL, _ERRNO, _ALLOW = 0x8000_0000, 0x0005_0000, 0x7FFF_0000
_EACCES, _ENOSYS = 13, 38
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in struct seccomp_data; of the argument the low half (little endian)."""

_CLONE_THREAD = 0x0001_0000
_X32 = 0x4000_0000

_COMMON = {"clone3": 435, "io_uring_setup": 425, "pidfd_send_signal": 424, "pidfd_open": 434}
_ARCHITECTURES = {
    "x86_64": (0xC000_003E, {
        "socket": 41, "bind": 49, "listen": 50, "clone": 56, "fork": 57, "vfork": 58, "kill": 62,
        "ptrace": 101, "rt_sigqueueinfo": 129, "tkill": 200, "tgkill": 234, "unshare": 272,
        "rt_tgsigqueueinfo": 297, "setns": 308, "process_vm_writev": 311, **_COMMON,
    }),
    "aarch64": (0xC000_00B7, {
        "socket": 198, "bind": 200, "listen": 201, "clone": 220, "kill": 129, "ptrace": 117,
        "rt_sigqueueinfo": 138, "tkill": 130, "tgkill": 131, "unshare": 97,
        "rt_tgsigqueueinfo": 240, "setns": 268, "process_vm_writev": 271, **_COMMON,
    }),
}  # fmt: skip

_ANSWERED = {
    # The C library asks for sockets to look up names, and tries clone3 before clone.
    "socket": _ERRNO | _EACCES,
    "io_uring_setup": _ERRNO | _EACCES,
    "clone3": _ERRNO | _ENOSYS,
}
"""What is answered with an error; whoever makes another refused call is killed."""


def filter_of_calls(machine: str = "") -> bytes | None:
    """The filter as an array of `struct sock_filter`; None for a machine that we do not know.

    Args:
        machine: as `platform.machine` names it; "" is this one.
    """
    known = _ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    arch, numbers = known
    steps = [
        _step(_LOAD, _ARCH),
        *_unless(_EQUAL, arch, _KILL),
        _step(_LOAD, _NUMBER),
        *_when(_AT_LEAST, _X32, _KILL),
    ]
    for name, number in numbers.items():
        if name != "clone":
            steps += _when(_EQUAL, number, _ANSWERED.get(name, _KILL))
    steps += [
        _step(_EQUAL, numbers["clone"], no=3),
        _step(_LOAD, _FIRST_ARGUMENT),
        *_unless(_ANY_BIT, _CLONE_THREAD, _KILL),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _when(test: int, value: int, action: int) -> list[bytes]:
    return [_step(test, value, no=1), _step(_RETURN, action)]


def _unless(test: int, value: int, action: int) -> list[bytes]:
    return [_step(test, value, yes=1), _step(_RETURN, action)]
