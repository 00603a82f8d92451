"""How much memory the parser process may take, and how each platform holds it to that."""

import sys

LIMIT_BYTES = 512 << 20
"""512 MiB. The process itself takes 20 MB (100 MB of address space), and real files of the largest
size that is judged 10 to 20 MB more; hostile ones of that size reach 200 MB."""


def limit_own_memory(limit: int) -> None:
    """Hold the running process to so much memory, for good.

    POSIX limits the address space (RLIMIT_AS) and forbids core dumps, which would hold the
    buffer; Windows puts the process into a job object. macOS accepts RLIMIT_AS and ignores it:
    there the parent watches (`MemoryWatch`).

    Args:
        limit: bytes.

    Raises:
        OSError: the platform refuses.
    """
    if sys.platform == "win32":
        from synconfroute.validators.job_object import enter_job

        enter_job(limit)
    else:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform != "darwin":
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
