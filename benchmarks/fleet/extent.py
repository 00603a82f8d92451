"""How much is asked, and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """The phases of a run; all lengths in seconds.

    Attributes:
        sessions: editors.
        every: between two requests of one of them.
        lines: of each document.
        steady: nothing is wrong.
        busy: vLLM answers 429 with Retry-After.
        stalled: vLLM takes requests and writes nothing.
        down: a gateway answers 503 to everything.
        recovery: behind each of these three.
        paces: times between two requests of an editor that are tried for the highest rate.
        step: at each of them.
        alone: with the vLLM as the only model.
    """

    sessions: int = 200
    every: float = 3.0
    lines: int = 400
    steady: float = 420.0
    busy: float = 30.0
    stalled: float = 25.0
    down: float = 25.0
    recovery: float = 100.0 / 3
    paces: tuple[float, ...] = (12.0, 8.0, 6.0, 4.0, 3.0, 2.4, 2.0, 1.6, 1.3, 1.0, 0.8, 0.65, 0.5)
    step: float = 12.0
    alone: float = 45.0

    @property
    def main(self) -> float:
        """The part at one request every so many seconds, trouble included."""
        return self.steady + self.busy + self.stalled + self.down + 3 * self.recovery


FULL = Extent()
"""Ten minutes, then the search for the highest rate and the vLLM alone: 13 minutes in all."""
QUICK = Extent(
    steady=13, busy=5, stalled=6, down=4, recovery=4, paces=(12.0, 8.0, 6.0, 3.0), step=5, alone=8
)
"""The same in a minute and a half, for a look."""
