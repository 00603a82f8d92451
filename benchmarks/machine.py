"""What the machine makes of the same work after a pause: caches and clocks that it takes away.

An editor's server rests between keys and while a model decodes. Where a pause makes the same work
slower, all that is added to a slow model's time is slower by as much, ours and others'.
"""

import time
from collections.abc import Iterator

from benchmarks.figure import Figure, figure

PAUSES_MS = (25, 50, 150)
_RUNS = 40
_ENTRIES = 3_000


def measure(quick: bool) -> Iterator[Figure]:
    """Beside the same work without a pause."""
    runs = _RUNS // 4 if quick else _RUNS
    at_once = [_after(0) for _ in range(runs)]
    for milliseconds in PAUSES_MS:
        yield figure(
            "the same work after a pause",
            f"{milliseconds} ms, a dictionary of {_ENTRIES:,}",
            "ms",
            [_after(milliseconds) for _ in range(runs)],
            at_once,
            beside="without a pause",
        )


def _after(milliseconds: float) -> float:
    time.sleep(milliseconds / 1000)
    started = time.perf_counter()
    built = {str(number): number * number for number in range(_ENTRIES)}
    took = time.perf_counter() - started
    assert len(built) == _ENTRIES
    return took * 1000
