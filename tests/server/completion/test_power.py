"""Whether the machine runs on battery: never asked at the moment of need."""

import asyncio
from collections.abc import Callable
from typing import Any

import psutil
import pytest

from synconfroute.server.completion.power import HOLDS_S, Power, runs_on_battery


class Battery:
    """What psutil says of one."""

    def __init__(self, plugged: bool | None) -> None:
        self.power_plugged = plugged


@pytest.mark.parametrize(
    ("battery", "on"),
    [
        (None, False),
        (Battery(None), False),
        (Battery(plugged=True), False),
        (Battery(plugged=False), True),
    ],
)
def test_what_the_system_says(battery: Any, on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desktop has none; one of which nothing is known counts as plugged in."""
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    assert runs_on_battery() is on


def test_a_platform_without_batteries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Psutil has no such function everywhere."""
    monkeypatch.delattr(psutil, "sensors_battery", raising=False)
    assert runs_on_battery() is False


class Clock:
    """A clock, and a battery that is looked at."""

    def __init__(self, look: Callable[[], bool]) -> None:
        self.now = 0.0
        self.looked = 0
        self._look = look
        self.power = Power(self.look, lambda: self.now)

    def look(self) -> bool:
        """Look."""
        self.looked += 1
        return self._look()

    async def until(self, looks: int, *, found: bool) -> None:
        """Wait until so many looks have ended, with this found."""
        async with asyncio.timeout(10):
            while self.looked < looks or self.power.on_battery is not found:
                await asyncio.sleep(0.001)


async def test_it_is_looked_beside_and_seldom() -> None:
    """The first question knows nothing yet; later ones know what was found, for a while."""
    clock = Clock(lambda: True)
    assert [clock.power.on_battery] == [False]
    await clock.until(1, found=True)
    assert [clock.power.on_battery for _ in range(100)] == [True] * 100
    assert [clock.looked] == [1]
    clock.now = HOLDS_S
    assert [clock.power.on_battery] == [True]
    await clock.until(2, found=True)


async def test_a_system_that_fails_counts_as_power_from_the_wall() -> None:
    """Nothing is kept from the user because of it."""

    def fail() -> bool:
        raise RuntimeError("no sensors")

    clock = Clock(fail)
    await clock.power.look()
    assert clock.power.on_battery is False
