"""Processor time and memory of processes with their children."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class Usage:
    """Of some seconds, all as shares of one core.

    Attributes:
        seconds: how long.
        server: our server's own process.
        parsers: its children.
        driver: the editors of this benchmark.
        models: the scripted models.
        machine: everything that runs, of all cores.
        cores: how many there are.
    """

    seconds: float
    server: float
    parsers: float
    driver: float
    models: float
    machine: float
    cores: int

    @property
    def ours(self) -> float:
        """Our server with its parser processes, as a share of one core."""
        return self.server + self.parsers


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory in MB.

    Attributes:
        server: of our server's own process.
        parsers: of its children, together.
        processes: how many these are.
    """

    server: float
    parsers: float
    processes: int


class Meter:
    """Tells what was used since it was asked before."""

    def __init__(self, server: psutil.Process) -> None:
        """Begin now.

        Args:
            server: ours; this process is the driver, and its other children are the models.
        """
        self._server = server
        self._driver = psutil.Process()
        self._before = self._read()

    def read(self) -> Usage:
        """Since the last time."""
        before, now = self._before, self._read()
        self._before = now
        seconds = now["at"] - before["at"]
        share = {name: (now[name] - before.get(name, 0.0)) / seconds for name in now}
        return Usage(
            seconds=seconds,
            server=share["server"],
            parsers=share["parsers"],
            driver=share["driver"],
            models=share["models"],
            machine=share["machine"],
            cores=psutil.cpu_count() or 1,
        )

    def memory(self) -> Memory:
        """What is resident now."""
        children = _children(self._server)
        return Memory(
            self._server.memory_info().rss / 1e6,
            sum(_rss(child) for child in children) / 1e6,
            len(children),
        )

    def _read(self) -> Mapping[str, float]:
        whole = psutil.cpu_times()
        others = [each for each in self._driver.children() if each.pid != self._server.pid]
        return {
            "at": time.monotonic(),
            "server": _seconds(self._server),
            "parsers": sum(map(_seconds, _children(self._server))),
            "driver": _seconds(self._driver),
            "models": sum(map(_seconds, others)),
            "machine": sum(whole) - whole.idle - getattr(whole, "iowait", 0.0) - _guests(whole),
        }


def _guests(whole: object) -> float:
    """Linux counts these a second time."""
    return float(getattr(whole, "guest", 0.0)) + float(getattr(whole, "guest_nice", 0.0))


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _rss(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss)
    except psutil.Error:
        return 0.0
