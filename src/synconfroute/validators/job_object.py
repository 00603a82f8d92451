"""A Windows job object that holds the running process to a memory limit.

See "Job Objects" in the Windows documentation; the structures are those of winnt.h.
"""

import ctypes
import sys

_EXTENDED_LIMIT_INFORMATION = 9
_LIMIT_PROCESS_MEMORY = 0x100
_LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x400
"""No error dialogue may keep a crashed parser alive."""


class _IoCounters(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_ulonglong)
        for name in (
            "ReadOperationCount",
            "WriteOperationCount",
            "OtherOperationCount",
            "ReadTransferCount",
            "WriteTransferCount",
            "OtherTransferCount",
        )
    ]


class _BasicLimits(ctypes.Structure):
    _fields_ = [
        ("PerProcessUserTimeLimit", ctypes.c_longlong),
        ("PerJobUserTimeLimit", ctypes.c_longlong),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = [
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", _IoCounters),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    ]


if sys.platform == "win32":

    def enter_job(limit: int) -> None:
        """Put the running process into a job of its own that may commit `limit` bytes.

        The job's handle is kept until the process ends, on purpose.

        Raises:
            OSError: Windows refuses.
        """
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, ctypes.c_wchar_p)
        kernel.SetInformationJobObject.argtypes = (
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_void_p,
            ctypes.c_uint32,
        )
        kernel.AssignProcessToJobObject.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = (
            _LIMIT_PROCESS_MEMORY | _LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        )
        limits.ProcessMemoryLimit = limit
        job = kernel.CreateJobObjectW(None, None)
        done = (
            job
            and kernel.SetInformationJobObject(
                job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        )
        if not done:
            raise ctypes.WinError(ctypes.get_last_error())
