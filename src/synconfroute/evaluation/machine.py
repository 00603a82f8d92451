"""The machine that something was measured on, and how busy it was with other things."""

import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_BUSY_SECONDS = 1.0
_ASK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine.

    Attributes:
        cpu: the processor's name, as the system has it; "" where it has none.
        cores: physical ones; None where the system does not say.
        threads: logical processors.
        memory: bytes.
        system: of what kind, with its version.
    """

    cpu: str
    cores: int | None
    threads: int | None
    memory: int
    system: str


@dataclass(frozen=True, slots=True)
class Load:
    """How busy it is at one moment.

    Attributes:
        average: processes that ran or waited for a processor, mean of the last minute. On Windows
            it is known only some seconds after the first question, and 0 before.
        busy: share of all processors' time that was used within one second, in [0, 1].
    """

    average: float
    busy: float


def this_machine() -> Machine:
    """This one."""
    import psutil

    return Machine(
        _cpu(),
        psutil.cpu_count(logical=False),
        psutil.cpu_count(),
        int(psutil.virtual_memory().total),
        f"{platform.system()} {platform.release()}",
    )


def load_now() -> Load:
    """How busy this machine is. Takes one second."""
    import psutil

    average = psutil.getloadavg()[0]
    return Load(round(average, 2), round(psutil.cpu_percent(_BUSY_SECONDS) / 100, 3))


def _cpu() -> str:
    match sys.platform:
        case "linux":
            return _named_in(_read("/proc/cpuinfo")) or platform.machine()
        case "darwin":
            return _said(["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"])
        case _:
            return platform.processor()


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _named_in(cpuinfo: str) -> str:
    """ARM kernels name no model there."""
    for line in cpuinfo.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return ""


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_ASK_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return platform.processor()
    return done.stdout.strip() or platform.processor()
